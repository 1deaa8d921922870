/**
 * The first start on an empty database with captured emails: creates an owner, a project, its keys and a sender domain,
 * so that the first email can be sent immediately.
 */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Context } from './context.ts'
import { createFirstAccount, type FirstAccount } from './features/accounts/actions.ts'
import { addVerifiedDomain } from './features/domains/actions.ts'

const OWNER = 'owner@example.com'
const DOMAIN = 'example.com'

export interface FirstRun {
  email: string
  password: string
  projectId: string
  publicKey: string
  secretKey: string
  domain: string
  baseUrl: string
}

/**
 * Undefined if an account already exists. The file is written before the commit, so that no account exists without its
 * password.
 */
export async function prepareFirstRun(ctx: Context): Promise<FirstRun | undefined> {
  const account = await createFirstAccount(ctx, { email: OWNER, project: 'My project' }, async (tx, account) => {
    await addVerifiedDomain(ctx, tx, account.project.id, DOMAIN)
    await keep(ctx, toFirstRun(ctx, account))
  })
  return account && toFirstRun(ctx, account)
}

const toFirstRun = (ctx: Context, { email, password, project }: FirstAccount): FirstRun => ({
  email,
  password,
  projectId: project.id,
  publicKey: project.publicKey,
  secretKey: project.secretKey,
  domain: DOMAIN,
  baseUrl: ctx.baseUrl,
})

/** The base URL can change between starts, so the file is updated. The file is optional. */
export async function refreshFirstRun(ctx: Context): Promise<void> {
  const text = await readFile(firstRunFile(ctx), 'utf8').catch(() => undefined)
  if (text === undefined) return
  const kept: FirstRun = JSON.parse(text)
  if (kept.baseUrl !== ctx.baseUrl) await keep(ctx, { ...kept, baseUrl: ctx.baseUrl })
}

const firstRunFile = (ctx: Context) => path.join(ctx.settings.DATA_DIR, 'first-run.json')

const keep = (ctx: Context, run: FirstRun) =>
  writeFile(firstRunFile(ctx), `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 })
