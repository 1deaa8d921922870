/**
 * The first start on an empty database with captured emails: creates an owner, a project, its keys and a sender domain,
 * so that the first email can be sent immediately.
 */
import type { Context } from '../context.ts'
import { createFirstAccount, type FirstAccount } from '../features/tenants/accounts/actions.ts'
import { addFirstDomain } from '../features/tenants/domains/actions.ts'
import { isKeyOf } from '../features/tenants/keys/project-keys.ts'
import { type FirstRun, readFirstRun, removeKeys, writeFirstRun } from '../platform/first-run-file.ts'

const OWNER = 'owner@example.com'
const DOMAIN = 'example.com'

/**
 * Undefined if an account already exists. The file is written before the commit, so that no account exists without its
 * password.
 */
export async function prepareFirstRun(ctx: Context): Promise<FirstRun | undefined> {
  const account = await createFirstAccount(ctx, { email: OWNER, project: 'My project' }, async (tx, account) => {
    await addFirstDomain(ctx, tx, account.project.id, DOMAIN)
    await writeFirstRun(ctx.settings.DATA_DIR, toFirstRun(ctx, account))
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

/**
 * The base URL can change between starts, and another process may have replaced the keys, so the file is updated. The
 * file is optional.
 */
export async function refreshFirstRun(ctx: Context): Promise<void> {
  const { DATA_DIR } = ctx.settings
  const kept = await readFirstRun(DATA_DIR)
  if (!kept) return
  if (kept.baseUrl !== ctx.baseUrl) await writeFirstRun(DATA_DIR, { ...kept, baseUrl: ctx.baseUrl })
  if (!(await isKeyOf(ctx, kept.projectId, kept.secretKey))) await removeKeys(DATA_DIR, kept.projectId, ctx.clock.now())
}
