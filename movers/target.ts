/** A project, through the client. */
import { type Body, type Posthorn, unwrap } from '../sdk/index.ts'
import type { Target } from './move.ts'
import type { ContentKind } from './record.ts'

const PAGE_SIZE = 100

export function targetOf(posthorn: Posthorn): Target {
  const all = async (list: (page: number) => Promise<{ data: { id: string; name: string }[]; totalPages: number }>) => {
    const named = new Map<string, string>()
    for (let page = 1; ; page++) {
      const { data, totalPages } = await list(page)
      for (const { id, name } of data) named.set(name, id)
      if (page >= totalPages) return named
    }
  }
  const listed = (entries: { id: string; name: string }[]) => new Map(entries.map(({ id, name }) => [name, id]))
  const named: Record<ContentKind, () => Promise<Map<string, string>>> = {
    layout: async () => listed(await unwrap(posthorn.layouts.list())),
    'saved-block': async () => listed(await unwrap(posthorn.savedBlocks.list())),
    segment: async () => listed(await unwrap(posthorn.segments.list())),
    template: () => all((page) => unwrap(posthorn.templates.list({ page, pageSize: PAGE_SIZE }))),
    campaign: () => all((page) => unwrap(posthorn.campaigns.list({ page, pageSize: PAGE_SIZE }))),
    workflow: () => all((page) => unwrap(posthorn.workflows.list({ page, pageSize: PAGE_SIZE }))),
  }
  const create: Record<ContentKind, (body: never) => Promise<{ id: string }>> = {
    layout: (body: Body<'POST /layouts'>) => created(posthorn.layouts.create(body)),
    'saved-block': (body: Body<'POST /saved-blocks'>) => created(posthorn.savedBlocks.create(body)),
    segment: (body: Body<'POST /segments'>) => created(posthorn.segments.create(body)),
    template: (body: Body<'POST /templates'>) => created(posthorn.templates.create(body)),
    campaign: (body: Body<'POST /campaigns'>) => created(posthorn.campaigns.create(body)),
    workflow: (body: Body<'POST /workflows/import'>) => created(posthorn.workflows.import(body)),
  }
  return {
    transfer: (batch) => unwrap(posthorn.contacts.transfer(batch)),
    topics: async () => (await unwrap(posthorn.topics.list({ limit: 100 }))).data,
    createTopic: (topic) => unwrap(posthorn.topics.create(topic as Body<'POST /topics'>)),
    named: (kind) => named[kind](),
    create: async (kind, body) => (await create[kind](body as never)).id,
  }
}

/** With the reasons of each field in the message. */
async function created<T extends { id: string }>(
  call: Promise<{ data?: T; error?: { message: string; errors?: { field: string; message: string }[] } }>,
): Promise<T> {
  const { data, error } = await call
  if (data) return data
  const reasons = error!.errors?.map(({ field, message }) => `${field}: ${message}`) ?? []
  throw new Error(reasons.length > 0 ? reasons.join(' ') : error!.message)
}
