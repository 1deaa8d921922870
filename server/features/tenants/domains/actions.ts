/** Sender domains: adding and verifying them, and the check of every sender address. */
import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { senderDomain } from '../../../kernel/email-address.ts'
import { conflict, notFound, senderNotVerified } from '../../../kernel/errors.ts'
import { isId, newId } from '../../../kernel/ids.ts'
import { cursorPage } from '../../../kernel/pages.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { type Actor, recordAuditEntry } from '../../record/audit/actions.ts'
import { checkDomain } from './checks.ts'
import { dnsRecords } from './dns-records.ts'
import { diagnoseDomain } from './doctor.ts'
import * as queries from './queries.ts'
import type { DomainChanges } from './schemas.ts'
import { factsOf, fetchProviderState, sendingOf } from './sending.ts'
import { changeWarmUp, findWarmUps } from './warm-up/actions.ts'

export { recheckDomains } from './checks.ts'
export { findPlaces } from './warm-up/actions.ts'

/** Each domain has a key that takes a second to generate, and is checked in DNS repeatedly. */
const DOMAINS_MAX = 100

export async function addDomain(
  ctx: Context,
  projectId: string,
  input: { domain: string; projectId?: string | undefined },
  who: Actor,
) {
  if (input.projectId !== undefined && input.projectId.toLowerCase() !== projectId)
    throw notFound('project', input.projectId)
  const isNew = await isNewDomain(ctx.db, projectId, input.domain)
  const row = isNew ? await insertDomain(ctx, projectId, input.domain, who) : undefined
  if (!row) throw conflict(`The domain ${input.domain} has already been added to this project.`)
  return showDomain(ctx, await withProviderTokens(ctx, row))
}

/** False if the project already has this domain. */
async function isNewDomain(db: Database | Tx, projectId: string, domain: string): Promise<boolean> {
  const domains = await queries.listDomains(db, projectId)
  if (domains.some((row) => row.domain === domain)) return false
  if (domains.length < DOMAINS_MAX) return true
  throw conflict(`A project can have at most ${DOMAINS_MAX} domains.`, {
    suggestion: 'Delete a domain that is no longer used, then add this one.',
  })
}

async function insertDomain(ctx: Context, projectId: string, domain: string, who: Actor) {
  const made = await newDomain(ctx, domain, 'PENDING')
  return transaction(ctx.db, async (tx) => {
    await queries.lockDomains(tx, projectId)
    const row = (await isNewDomain(tx, projectId, domain)) ? await queries.insertDomain(tx, projectId, made) : undefined
    if (row) await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'domain.added', details: { domain } })
    return row
  })
}

/** If the provider is unavailable, the next check fetches its records. */
async function withProviderTokens(
  ctx: Context,
  row: queries.DomainRow,
  db: Database | Tx = ctx.db,
): Promise<queries.DomainRow> {
  const { dkimTokens } = await fetchProviderState(ctx, row.domain)
  if (!dkimTokens) return row
  await queries.saveProviderDkimTokens(db, row.project_id, row.id, dkimTokens)
  return { ...row, provider_dkim_tokens: dkimTokens }
}

/** The domain of the first project. If email is captured, it needs no verification: emails can't leave the installation. */
export async function addFirstDomain(ctx: Context, tx: Tx, projectId: string, domain: string) {
  const status = sendingOf(ctx).by === 'nobody' ? 'VERIFIED' : 'PENDING'
  const row = await queries.insertDomain(tx, projectId, await newDomain(ctx, domain, status))
  return showDomain(ctx, await withProviderTokens(ctx, row!, tx))
}

async function newDomain(ctx: Context, domain: string, status: 'PENDING' | 'VERIFIED'): Promise<queries.NewDomain> {
  const now = ctx.clock.now()
  return {
    id: newId(now),
    domain,
    status,
    recordsFound: status === 'VERIFIED' ? ['ownership', 'dkim', 'spf', 'dmarc', 'return-path'] : [],
    nextCheckAt: now,
    ownershipToken: randomBytes(16).toString('hex'),
    dkim: await makeDkimKey(ctx),
    now,
  }
}

async function makeDkimKey(ctx: Context): Promise<queries.NewKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return newKey(ctx, publicKey, privateKey)
}

/** DNS has the 32 bytes of the public key alone, which are the last ones of its usual encoding (RFC 8463). */
async function makeEd25519Key(ctx: Context): Promise<queries.NewKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return newKey(ctx, publicKey.subarray(-32), privateKey)
}

const newKey = (ctx: Context, publicKey: Buffer, privateKey: string): queries.NewKey => ({
  selector: `ph${randomBytes(4).toString('hex')}`,
  publicKey: publicKey.toString('base64'),
  sealedPrivateKey: ctx.secrets.encrypt(privateKey),
})

export async function listDomains(ctx: Context, projectId: string) {
  const [rows, warmUps] = await Promise.all([queries.listDomains(ctx.db, projectId), findWarmUps(ctx, projectId)])
  return rows.map((row) => showDomain(ctx, row, warmUps))
}

/** Newest first. */
export async function listDomainPage(
  ctx: Context,
  projectId: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
) {
  const [rows, total, warmUps] = await Promise.all([
    queries.listDomainPage(ctx.db, projectId, { before: cursor, limit: limit + 1 }),
    cursor === undefined ? queries.countDomains(ctx.db, projectId) : 0,
    findWarmUps(ctx, projectId),
  ])
  return cursorPage(rows, limit, total, (row) => showDomain(ctx, row, warmUps))
}

/** The domain with findings about SPF, DMARC and MX. */
export async function getDomain(ctx: Context, projectId: string, id: string) {
  const row = await queries.findDomain(ctx.db, projectId, id)
  if (!row) throw notFound('domain', id)
  const [warmUps, findings] = await Promise.all([
    findWarmUps(ctx, projectId, row.domain),
    diagnoseDomain(ctx, row.domain),
  ])
  return { ...showDomain(ctx, row, warmUps), findings }
}

/** Checks now instead of in the next periodic check. */
export async function verifyDomain(ctx: Context, projectId: string, id: string) {
  const row = await queries.findDomain(ctx.db, projectId, id)
  const checked = row && (await checkDomain(ctx, row))
  if (!checked) throw notFound('domain', id)
  return showDomain(ctx, checked, await findWarmUps(ctx, projectId, checked.domain))
}

/** PATCH /domains/{id}. */
export async function changeDomain(
  ctx: Context,
  projectId: string,
  id: string,
  changes: z.output<typeof DomainChanges>,
  who: Actor,
) {
  const { warmUp, ed25519 } = changes
  const now = ctx.clock.now()
  const key = ed25519 ? await makeEd25519Key(ctx) : null
  const row = await transaction(ctx.db, async (tx) => {
    const row = await queries.lockDomain(tx, projectId, id)
    if (!row) throw notFound('domain', id)
    const before = {
      ...(warmUp !== undefined && { warmUp: await changeWarmUp(tx, row, warmUp, now) }),
      ...(ed25519 !== undefined && { ed25519: row.ed25519_selector !== null }),
    }
    const details = { domain: row.domain, ...changes, before }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'domain.changed', details })
    return ed25519 === undefined ? row : changeEd25519(ctx, tx, row, key, now)
  })
  return showDomain(ctx, row, await findWarmUps(ctx, projectId, row.domain))
}

/** A domain that has a key keeps it. */
async function changeEd25519(ctx: Context, tx: Tx, row: queries.DomainRow, key: queries.NewKey | null, now: Date) {
  if (key && ctx.mail.capabilities.signing === 'by-provider') {
    throw conflict('The mail server of this installation signs emails with its own keys.', {
      suggestion: 'An Ed25519 key can be added if `MAIL_URL` is that of a server for which Posthorn signs.',
    })
  }
  if ((row.ed25519_selector !== null) === (key !== null)) return row
  return queries.saveEd25519Key(tx, row, key, now)
}

export async function deleteDomain(ctx: Context, projectId: string, id: string, who: Actor): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const campaign = await queries.findCampaignFrom(tx, projectId, id)
    if (campaign !== undefined) {
      throw conflict(`The campaign "${campaign}" sends from this domain and hasn't completed yet.`)
    }
    const domain = await queries.deleteDomain(tx, projectId, id)
    if (domain === undefined) throw notFound('domain', id)
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'domain.removed', details: { domain } })
  })
}

export async function findProjectOfDomain(ctx: Context, userId: string, id: string): Promise<string | undefined> {
  return isId(id) ? queries.findProjectOfDomain(ctx.db, userId, id) : undefined
}

/** Returns the answer instead of refusing, for callers with their own error message. */
export const senderIsVerified = (ctx: Context, projectId: string, address: string): Promise<boolean> =>
  queries.isVerified(ctx.db, projectId, senderDomain(address))

/** Whether each of these senders is verified, in their order. */
export const sendersAreVerified = (
  ctx: Context,
  senders: Array<{ projectId: string; address: string }>,
): Promise<boolean[]> =>
  queries.areVerified(
    ctx.db,
    senders.map(({ projectId, address }) => ({ projectId, domain: senderDomain(address) })),
  )

/**
 * Every sender address that is stored is checked here; the one of a send request is checked by the statement that
 * accepts it. Verifying a domain does not verify its subdomains.
 */
export async function requireVerifiedSender(
  ctx: Context,
  projectId: string,
  address: string,
  db: Database | Tx = ctx.db,
): Promise<void> {
  const domain = senderDomain(address)
  if (!(await queries.isVerified(db, projectId, domain))) throw senderNotVerified(domain)
}

type WarmUps = Awaited<ReturnType<typeof findWarmUps>>

/** A new domain has no warm-up. */
const showDomain = (ctx: Context, row: queries.DomainRow, warmUps?: WarmUps) => ({
  id: row.id,
  domain: row.domain,
  projectId: row.project_id,
  verified: row.status === 'VERIFIED',
  status: row.status,
  records: dnsRecords(factsOf(row), sendingOf(ctx)).map(({ key, isGuess: _, ...record }) => ({
    ...record,
    verified: row.records_found.includes(key),
  })),
  ed25519: row.ed25519_selector !== null,
  warmUp: warmUps?.get(row.domain) ?? null,
  lastCheckedAt: row.last_checked_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
