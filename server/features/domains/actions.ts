/** Sender domains: adding and proving them, and the one check that every sender address goes through. */
import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { Context } from '../../context.ts'
import { domainOf } from '../../kernel/email-address.ts'
import { conflict, notFound, senderNotVerified } from '../../kernel/errors.ts'
import { isId, newId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/database/connect.ts'
import { dnsRecords } from './dns-records.ts'
import { normalizeDomain } from './domain-name.ts'
import * as queries from './queries.ts'

export async function addDomain(
  ctx: Context,
  projectId: string,
  input: { domain: string; projectId?: string | undefined },
) {
  if (input.projectId !== undefined && input.projectId.toLowerCase() !== projectId)
    throw notFound('project', input.projectId)
  const known = (await queries.listDomains(ctx.db, projectId)).some((row) => row.domain === input.domain)
  const row = known
    ? undefined
    : await queries.insertDomain(ctx.db, projectId, await newDomain(ctx, input.domain, 'PENDING'))
  if (!row) throw conflict(`The domain ${input.domain} is in this project already.`)
  return showDomain(ctx, row)
}

/** The domain of the first project on a fresh installation: nothing can reach anyone from there, so it needs no proof. */
export async function addVerifiedDomain(ctx: Context, tx: Tx, projectId: string, domain: string): Promise<void> {
  await queries.insertDomain(tx, projectId, await newDomain(ctx, domain, 'VERIFIED'))
}

async function newDomain(ctx: Context, domain: string, status: 'PENDING' | 'VERIFIED'): Promise<queries.NewDomain> {
  return {
    id: newId(ctx.clock.now()),
    domain,
    status,
    ownershipToken: randomBytes(16).toString('hex'),
    dkim: await makeDkimKey(ctx),
    now: ctx.clock.now(),
  }
}

async function makeDkimKey(ctx: Context) {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return {
    selector: `ph${randomBytes(4).toString('hex')}`,
    publicKey: publicKey.toString('base64'),
    sealedPrivateKey: ctx.secrets.encrypt(privateKey),
  }
}

export async function listDomains(ctx: Context, projectId: string) {
  const rows = await queries.listDomains(ctx.db, projectId)
  return rows.map((row) => showDomain(ctx, row))
}

/** With the capture transport nothing can reach anyone, so a check always verifies. */
export async function verifyDomain(ctx: Context, projectId: string, id: string) {
  const row = await queries.setChecked(ctx.db, projectId, id, 'VERIFIED', ctx.clock.now())
  if (!row) throw notFound('domain', id)
  return showDomain(ctx, row)
}

export async function deleteDomain(ctx: Context, projectId: string, id: string): Promise<void> {
  if (!(await queries.deleteDomain(ctx.db, projectId, id))) throw notFound('domain', id)
}

export async function findProjectOfDomain(ctx: Context, userId: string, id: string): Promise<string | undefined> {
  return isId(id) ? queries.findProjectOfDomain(ctx.db, userId, id) : undefined
}

/** Every sender address of the service goes through here. A subdomain is not verified by its parent. */
export async function requireVerifiedSender(ctx: Context, projectId: string, address: string): Promise<void> {
  const domain = normalizeDomain(domainOf(address))
  if (!(await queries.isVerified(ctx.db, projectId, domain))) throw senderNotVerified(domain)
}

const showDomain = (ctx: Context, row: queries.DomainRow) => {
  const verified = row.status === 'VERIFIED'
  const facts = {
    domain: row.domain,
    ownershipToken: row.ownership_token,
    dkimSelector: row.dkim_selector,
    dkimPublicKey: row.dkim_public_key,
    verified,
  }
  return {
    id: row.id,
    domain: row.domain,
    projectId: row.project_id,
    verified,
    status: row.status,
    records: dnsRecords(facts, new URL(ctx.baseUrl).hostname),
    lastCheckedAt: row.last_checked_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
