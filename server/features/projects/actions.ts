/** Projects: creating them and changing their keys. */
import type { Context } from '../../context.ts'
import { notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/database/connect.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { hashKey } from '../../platform/secrets.ts'
import { recordAct } from './audit.ts'
import { type KeyPair, makeKeys } from './keys.ts'
import * as queries from './queries.ts'
import { showProject } from './show-project.ts'

export { type Actor, forgetOldActs, recordAct, recordActOfPerson } from './audit.ts'
export { acceptInvitation, forgetOldInvitations, previewInvitation } from './invitations.ts'
export { wipeProject } from './removal.ts'
export { checkReputations } from './security.ts'
export { foldUsage, getLimits, getUsage, requireRoom, setLimits } from './usage.ts'

export async function createProject(ctx: Context, userId: string, input: { name: string }, ip?: string) {
  return transaction(ctx.db, (tx) => createProjectIn(ctx, tx, userId, input, ip))
}

export async function createProjectIn(ctx: Context, tx: Tx, userId: string, { name }: { name: string }, ip?: string) {
  const now = ctx.clock.now()
  const keys = makeKeys()
  const row = await queries.insertProject(tx, { id: newId(now), name, ...keys, now })
  await queries.replaceKeys(tx, row.id, hashesOf(keys))
  await queries.insertMember(tx, row.id, userId, 'OWNER', now)
  await recordAct(ctx, tx, { projectId: row.id, actor: userId, ip, act: 'project.created', details: { name } })
  return { ...showProject({ ...row, role: 'OWNER' }), ...showKeys(keys) }
}

export async function listProjects(ctx: Context, userId: string) {
  const rows = await queries.listProjectsOf(ctx.db, userId)
  return rows.map(showProject)
}

/** Both keys change together; the old ones are dead when this returns. */
export async function regenerateKeys(ctx: Context, projectId: string, userId: string | undefined, ip?: string) {
  const keys = makeKeys()
  const row = await transaction(ctx.db, async (tx) => {
    const shown = await queries.showNewKeys(tx, projectId, keys, ctx.clock.now())
    if (!shown) throw notFound('project', projectId)
    await queries.replaceKeys(tx, projectId, hashesOf(keys))
    await recordAct(ctx, tx, { projectId, actor: userId ?? 'key', ip, act: 'keys.regenerated' })
    return shown
  })
  const role = userId ? await queries.findRole(ctx.db, projectId, userId) : undefined
  return { ...showProject({ ...row, role: role ?? null }), ...showKeys(keys) }
}

const hashesOf = (keys: KeyPair) => ({ public: hashKey(keys.publicKey), secret: hashKey(keys.secretKey) })

const showKeys = ({ publicKey, secretKey }: KeyPair) => ({ public: publicKey, secret: secretKey, publicKey, secretKey })
