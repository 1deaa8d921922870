/** The request log: what API keys of a project requested in the last seven days. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { docsUrlOf } from '../../../kernel/error-codes.ts'
import { notFound } from '../../../kernel/errors.ts'
import { firstIdAt, timeOfId } from '../../../kernel/ids.ts'
import { cursorPage, encodeCursor } from '../../../kernel/pages.ts'
import { refuseReversedRange } from '../../../kernel/time-range.ts'
import * as queries from './queries.ts'
import type { RequestQuery } from './schemas.ts'

const KEPT_MS = 7 * 24 * 3600_000
const DELETE_AT_ONCE = 10_000

export async function listRequests(ctx: Context, projectId: string, query: z.output<typeof RequestQuery>) {
  const { cursor, limit, method, path, code, keyId, status, from, to } = query
  refuseReversedRange({ from, to })
  const oldest = new Date(ctx.clock.now().getTime() - KEPT_MS)
  const end = to && firstIdAt(new Date(to.getTime() + 1))
  const filter = {
    method,
    path,
    code,
    key: keyId?.toLowerCase(),
    status: status === undefined ? undefined : statusRange(status),
    from: firstIdAt(from && from > oldest ? from : oldest),
    before: cursor && end ? (cursor < end ? cursor : end) : (cursor ?? end),
  }
  const [rows, total, readTo] = await Promise.all([
    queries.listRequests(ctx.db, projectId, { ...filter, limit }),
    cursor === undefined ? queries.countRequests(ctx.db, projectId, filter) : 0,
    queries.isSearch(filter) ? queries.endOfRead(ctx.db, projectId, filter) : undefined,
  ])
  const page = cursorPage(rows, limit, total, (row) => showRequest(ctx, row))
  return page.hasMore || !readTo ? page : { ...page, cursor: encodeCursor(readTo), hasMore: true }
}

export async function getRequest(ctx: Context, projectId: string, id: string) {
  const row = await queries.findRequest(ctx.db, projectId, id)
  if (!row || ctx.clock.now().getTime() - timeOfId(id).getTime() > KEPT_MS) throw notFound('request', id)
  return showRequest(ctx, row)
}

export async function deleteOldRequests(ctx: Context): Promise<void> {
  const end = new Date(ctx.clock.now().getTime() - KEPT_MS)
  while ((await queries.deleteRequestsBefore(ctx.db, end, DELETE_AT_ONCE)) === DELETE_AT_ONCE);
}

function statusRange(status: string): [number, number] {
  const first = Number(status.replaceAll(/x/gi, '0'))
  return /x/i.test(status) ? [first, first + 99] : [first, first]
}

const showRequest = ({ baseUrl }: Context, row: queries.RequestRow) => ({
  id: row.id,
  method: row.method,
  path: row.path,
  status: row.status,
  code: row.code,
  durationMs: row.duration_ms,
  key: { type: row.key_type, id: row.key_id, name: row.key_name },
  ip: row.ip,
  ignoredFields: row.ignored_fields ?? [],
  error: row.error && {
    code: row.code,
    message: row.error.message,
    errors: row.error.errors ?? [],
    suggestion: row.error.suggestion ?? null,
    docsUrl: docsUrlOf(baseUrl, row.code!),
  },
  createdAt: timeOfId(row.id),
})
