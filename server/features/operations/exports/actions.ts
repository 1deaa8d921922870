/**
 * Exports everything of a project as a ZIP archive of JSON Lines. It is written while it is sent, page by page, so its size
 * doesn't matter. Each file has what the API shows, so it can be read by other programs and by `posthorn import posthorn`.
 */
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { decodeCursor } from '../../../kernel/pages.ts'
import { zipStream } from '../../../platform/zip-stream.ts'
import { showConsent } from '../../audience/consents/actions.ts'
import { listEvents } from '../../audience/events/actions.ts'
import { listSegments } from '../../audience/segments/actions.ts'
import { listSuppressions } from '../../audience/suppressions/actions.ts'
import { listTopics } from '../../audience/topics/actions.ts'
import { listCampaigns } from '../../automation/campaigns/actions.ts'
import { listWorkflows } from '../../automation/workflows/actions.ts'
import { exportWorkflow } from '../../automation/workflows/transfer/export.ts'
import { getLayout, getSavedBlocks, listLayouts, listSavedBlocks } from '../../content/layouts/actions.ts'
import { listTemplates } from '../../content/templates/actions.ts'
import { listEmails } from '../../mail/emails/list.ts'
import { type Actor, recordAuditEntry } from '../../record/audit/actions.ts'
import * as queries from './queries.ts'

const EXPORT_FORMAT = 'posthorn-project'
const VERSION = 1
const ROWS_AT_ONCE = 500
/** The bodies of templates and campaigns can be long. */
const BODIES_AT_ONCE = 20

type Rows = AsyncIterable<unknown>

/** In the order in which an import needs them. */
const FILES: Array<[name: string, read: (ctx: Context, projectId: string) => Rows]> = [
  ['topics', (ctx, id) => once(async () => (await listTopics(ctx, id, { limit: 100, cursor: undefined })).data)],
  [
    'suppressions',
    (ctx, id) => byCursor((page) => listSuppressions(ctx, id, { ...page, email: undefined, search: undefined })),
  ],
  ['contacts', contacts],
  ['consents', consents],
  ['segments', (ctx, id) => once(() => listSegments(ctx, id, undefined))],
  ['segment-members', segmentMembers],
  [
    'layouts',
    (ctx, id) =>
      eachOf(
        () => listLayouts(ctx, id),
        (each) => getLayout(ctx, id, each.id),
      ),
  ],
  [
    'saved-blocks',
    (ctx, id) =>
      eachOf(
        () => listSavedBlocks(ctx, id),
        (each) => getSavedBlocks(ctx, id, each.id),
      ),
  ],
  ['templates', (ctx, id) => byPage((page) => listTemplates(ctx, id, { ...page, ...NO_FILTER }))],
  ['campaigns', (ctx, id) => byPage((page) => listCampaigns(ctx, id, { ...page, ...NO_FILTER, status: undefined }))],
  ['workflows', workflows],
  ['emails', (ctx, id) => byCursor((page) => listEmails(ctx, id, page as never))],
  ['events', (ctx, id) => byCursor((page) => listEvents(ctx, id, page as never))],
]

const NO_FILTER = { type: undefined, search: undefined, tag: undefined, sort: 'createdAt', dir: 'asc' } as const

/** The database is read before the stream is returned, so that an unavailable one gives an ordinary error response. */
export async function exportProject(ctx: Context, projectId: string, who: Actor) {
  const project = await queries.findProject(ctx.db, projectId)
  if (!project) throw notFound('project', projectId)
  await recordAuditEntry(ctx, ctx.db, { ...who, projectId, act: 'project.exported', details: {} })
  const { id, name, language } = project
  const about = {
    format: EXPORT_FORMAT,
    version: VERSION,
    exportedAt: ctx.clock.now(),
    project: { id, name, language },
  }
  const entries = [
    { name: 'project.json', content: once(async () => [about]) },
    ...FILES.map(([file, read]) => ({ name: `${file}.jsonl`, content: read(ctx, projectId) })),
  ]
  return Readable.from(zipStream(entries.map(({ name, content }) => ({ name, content: lines(content) }))), {
    objectMode: false,
  })
}

async function* lines(rows: Rows): AsyncGenerator<string> {
  let text = ''
  for await (const row of rows) {
    text += `${JSON.stringify(row)}\n`
    if (text.length < CHUNK_CHARACTERS) continue
    yield text
    text = ''
    await setImmediate() // other requests are served in between
  }
  yield text
}

const CHUNK_CHARACTERS = 64 * 1024

async function* once(read: () => Promise<unknown[]>): Rows {
  yield* await read()
}

async function* eachOf<T>(list: () => Promise<T[]>, get: (entry: T) => Promise<unknown>): Rows {
  for (const entry of await list()) yield await get(entry)
}

async function* byCursor(
  read: (page: { limit: number; cursor: string | undefined }) => Promise<{ data: unknown[]; cursor?: string | null }>,
): Rows {
  let cursor: string | undefined
  do {
    const page = await read({ limit: ROWS_AT_ONCE, cursor })
    yield* page.data
    // Responses have it in the form that a request sends.
    cursor = page.cursor ? decodeCursor(page.cursor) : undefined
  } while (cursor !== undefined)
}

async function* byPage(
  read: (page: { page: number; pageSize: number }) => Promise<{ data: unknown[]; totalPages: number }>,
): Rows {
  for (let page = 1; ; page++) {
    const { data, totalPages } = await read({ page, pageSize: BODIES_AT_ONCE })
    yield* data
    if (page >= totalPages) return
  }
}

async function* contacts(ctx: Context, projectId: string): Rows {
  let after: string | undefined
  for (;;) {
    const rows = await queries.listContactsAfter(ctx.db, projectId, after, ROWS_AT_ONCE)
    if (rows.length === 0) return
    yield* rows.map((row) => ({
      id: row.id,
      email: row.email,
      subscribed: row.subscribed,
      optedOut: row.opted_out,
      pending: row.pending,
      topics: row.topics,
      data: row.data,
      pausedUntil: row.paused_until,
      confirmedAt: row.confirmed_at,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }))
    after = rows.at(-1)!.id
  }
}

async function* consents(ctx: Context, projectId: string): Rows {
  let after: queries.ConsentPlace | undefined
  for (;;) {
    const rows = await queries.listConsentsAfter(ctx.db, projectId, after, ROWS_AT_ONCE)
    if (rows.length === 0) return
    yield* rows.map((row) => ({ contactId: row.contact_id, email: row.email, ...showConsent(row) }))
    const { contact_id: contactId, id } = rows.at(-1)!
    after = { contactId, id }
  }
}

async function* segmentMembers(ctx: Context, projectId: string): Rows {
  let last: queries.Membership | undefined
  for (;;) {
    const rows = await queries.listMembersAfter(ctx.db, projectId, last, ROWS_AT_ONCE)
    if (rows.length === 0) return
    yield* rows.map((row) => ({ segmentId: row.segment_id, email: row.email, addedAt: row.created_at }))
    last = rows.at(-1)
  }
}

async function* workflows(ctx: Context, projectId: string): Rows {
  const all = byPage((page) => listWorkflows(ctx, projectId, { ...page, ...NO_FILTER }))
  for await (const each of all) {
    const { id, enabled } = each as { id: string; enabled: boolean }
    yield { id, enabled, ...(await exportWorkflow(ctx, projectId, id)) }
  }
}
