/** The fields of a project's contacts: listing them, their values and their uses, and deleting one. */
import type { Context } from '../../../../context.ts'
import { normalizeEmail } from '../../../../kernel/email-address.ts'
import { invalidField } from '../../../../kernel/errors.ts'
import { transaction } from '../../../../platform/database/connection/transaction.ts'
import { type Actor, recordAuditEntry } from '../../../record/audit/actions.ts'
import * as queries from './field-queries.ts'

const STANDARD = { email: 'string', subscribed: 'boolean', createdAt: 'date', updatedAt: 'date' } as const

export async function listFields(ctx: Context, projectId: string) {
  const [contacts, custom] = await Promise.all([
    queries.readCount(ctx.db, projectId, 'contacts'),
    queries.listFields(ctx.db, projectId),
  ])
  const standard = Object.entries(STANDARD).map(([field, type]) => ({
    field,
    type,
    isCustom: false,
    coverage: contacts > 0 ? 1 : 0,
  }))
  const shown = custom.map((row) => ({
    field: `data.${row.path.join('.')}`,
    type: row.type,
    isCustom: true,
    coverage: contacts > 0 ? Math.min(1, row.contacts / contacts) : 0,
  }))
  return { fields: [...standard, ...shown] }
}

/** The names of the custom fields, as paths into a contact's data. */
export const listFieldPaths = async (ctx: Context, projectId: string): Promise<string[][]> =>
  (await queries.listFields(ctx.db, projectId)).map(({ path }) => path)

/** A field is named `data.plan` or `plan`; the four standard fields have plain names. */
async function findSource(
  ctx: Context,
  projectId: string,
  field: string,
): Promise<{ name: string; source: queries.FieldSource }> {
  if (Object.hasOwn(STANDARD, field)) return { name: field, source: { column: field } }
  const bare = bareName(field)
  return { name: `data.${bare}`, source: { paths: await queries.findPaths(ctx.db, projectId, bare) } }
}

const bareName = (field: string): string => (field.startsWith('data.') ? field.slice('data.'.length) : field)

const isUnknown = (source: queries.FieldSource): boolean => 'paths' in source && source.paths.length === 0

export async function listFieldValues(ctx: Context, projectId: string, field: string, limit: number) {
  const { name, source } = await findSource(ctx, projectId, field)
  if (isUnknown(source)) return { field: name, values: [], count: 0 }
  return { field: name, ...(await queries.listValues(ctx.db, projectId, source, limit)) }
}

export async function getFieldUsage(ctx: Context, projectId: string, field: string) {
  const { name, source } = await findSource(ctx, projectId, field)
  const listed = 'column' in source ? undefined : await queries.listFields(ctx.db, projectId, bareName(name))
  const contactCount = listed
    ? listed.reduce((sum, row) => sum + row.contacts, 0)
    : await queries.readCount(ctx.db, projectId, 'contacts')
  const usedInSegments = await queries.listSegmentsUsing(ctx.db, projectId, name)
  return {
    usedInSegments,
    usedInCampaigns: await queries.listCampaignsUsing(ctx.db, projectId, name),
    usedInWorkflows: await queries.listWorkflowsUsing(ctx.db, projectId, name),
    contactCount,
  }
}

/** The name can be that of a nested object, which is deleted with everything in it. */
export async function deleteField(ctx: Context, projectId: string, field: string, who: Actor) {
  if (Object.hasOwn(STANDARD, field)) {
    throw invalidField('field', `${field} is a standard field. Only custom fields can be deleted.`)
  }
  const name = bareName(field)
  const known = await queries.findObjectPaths(ctx.db, projectId, name)
  const paths = known.length > 0 ? known : emptyObjectAt(name)
  if (paths.length === 0) return { deletedFrom: 0 }
  const now = ctx.clock.now()
  return transaction(ctx.db, async (tx) => {
    const deletedFrom = await queries.deleteField(tx, projectId, paths, now)
    const details = { field: name, contacts: deletedFrom }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'contact-field.deleted', details })
    return { deletedFrom }
  })
}

/** Empty objects are not counted as fields. In a path, PostgreSQL treats a number as an index of a list. */
function emptyObjectAt(name: string): string[][] {
  const path = name.split('.')
  return path.some((key) => /^\s*[+-]?\d+$/.test(key)) ? [] : [path]
}

/** Which of the given strings are contacts, in the caller's spelling. */
export async function lookUpEmails(ctx: Context, projectId: string, emails: string[]) {
  const known = new Set(await queries.findExistingEmails(ctx.db, projectId, emails.map(normalizeEmail)))
  const isKnown = (email: string) => known.has(normalizeEmail(email))
  return { found: emails.filter(isKnown), notFound: emails.filter((email) => !isKnown(email)) }
}
