/**
 * Moves what a reader yields to a project: the opt-outs of the whole export first, so that an interruption never leaves someone
 * subscribed who opted out, then the other contacts, then templates and other content. Everything can be repeated.
 */
import { filesIn } from './files.ts'
import {
  CONTENT_KINDS,
  type ContactRecord,
  type ContentKind,
  type ContentRecord,
  type MoveFile,
  type MoveInput,
  type MoveRecord,
  type Place,
  type Source,
  type SuppressionRecord,
  type TopicRecord,
} from './record.ts'

export { BrokenFile } from './record.ts'

const BATCH_MAX = 1_000
const BATCH_CHARACTERS = 2_000_000
const PROBLEMS_MAX = 100

export interface TransferBatch {
  source: string
  dryRun: boolean
  suppressions: { email: string; reason: SuppressionRecord['reason'] }[]
  contacts: {
    email: string
    subscribed?: boolean
    data?: Record<string, unknown>
    topics?: Record<string, boolean>
    consent?: ContactRecord['consent']
  }[]
}

interface TransferResult {
  created: number
  updated: number
  unchanged: number
  optedOut: number
  kept: number
  suppressed: number
  errors: { list: 'contacts' | 'suppressions'; index: number; email: string; error: string }[]
}

/** The project that things move to. */
export interface Target {
  transfer: (batch: TransferBatch) => Promise<TransferResult>
  topics: () => Promise<{ id: string; key: string }[]>
  createTopic: (topic: Omit<TopicRecord, 'kind' | 'id'>) => Promise<{ id: string }>
  /** What there is of a kind, by name. */
  named: (kind: ContentKind) => Promise<Map<string, string>>
  /** Returns its ID. Throws an error with the reason if it is refused. */
  create: (kind: ContentKind, body: Record<string, unknown>) => Promise<string>
}

export interface Count {
  created: number
  /** It was there already, and stays as it is. */
  existing: number
  failed: number
}

export interface Report {
  source: string
  dryRun: boolean
  contacts: {
    created: number
    updated: number
    unchanged: number
    optedOut: number
    keptOptOut: number
    failed: number
  }
  suppressions: { created: number; existing: number; failed: number }
  topics: Count
  content: Record<ContentKind, Count>
  /** What has no counterpart. */
  left: { what: string; why: string; count: number }[]
  problems: (Place & { what: string; error: string })[]
  problemCount: number
}

/** How far it is. A run that gets it continues there. */
export interface Checkpoint {
  pass: number
  batches: number
  report: Report
}

export interface MoveOptions {
  source: Source
  input: MoveInput
  target: Target
  dryRun: boolean
  /** The sender of templates and campaigns that have none. */
  from?: string | undefined
  resume?: Checkpoint | undefined
  onProgress?: (checkpoint: Checkpoint) => void
  signal?: AbortSignal | undefined
}

const noCount = (): Count => ({ created: 0, existing: 0, failed: 0 })

const emptyReport = (source: string, dryRun: boolean): Report => ({
  source,
  dryRun,
  contacts: { created: 0, updated: 0, unchanged: 0, optedOut: 0, keptOptOut: 0, failed: 0 },
  suppressions: { created: 0, existing: 0, failed: 0 },
  topics: noCount(),
  content: Object.fromEntries(CONTENT_KINDS.map((kind) => [kind, noCount()])) as Record<ContentKind, Count>,
  left: [],
  problems: [],
  problemCount: 0,
})

/** The files, with those in archives. */
export async function openFiles(given: { name: string; blob: Blob }[]): Promise<MoveFile[]> {
  const opened = await Promise.all(given.map(({ name, blob }) => filesIn(name, blob)))
  return opened.flat()
}

const OPT_OUTS = 1
const OTHERS = 2
const CONTENT = 3

/** From everything, or only from topics. */
const optsOut = ({ subscribed, topics = {} }: ContactRecord): boolean =>
  subscribed === false || (subscribed === undefined && Object.values(topics).includes(false))

const passOf = (record: MoveRecord): number =>
  record.kind === 'suppression' || (record.kind === 'contact' && optsOut(record))
    ? OPT_OUTS
    : record.kind === 'contact'
      ? OTHERS
      : CONTENT

export async function move(options: MoveOptions): Promise<Report> {
  const { source, input, resume, dryRun } = options
  const report = resume?.report ?? emptyReport(source.title, dryRun)
  if (!resume) await createTopics(options, report)
  for (const pass of [OPT_OUTS, OTHERS]) {
    if (resume && resume.pass > pass) continue
    const done = resume?.pass === pass ? resume.batches : 0
    await transferPass(options, report, pass, done)
  }
  await createContent(options, report, source.read(input))
  return report
}

function addProblem(report: Report, problem: Report['problems'][number]): void {
  report.problemCount++
  if (report.problems.length < PROBLEMS_MAX) report.problems.push(problem)
}

/** A first reading of everything also finds a broken file before anything is written. */
async function createTopics({ source, input, target, dryRun, signal }: MoveOptions, report: Report): Promise<void> {
  const topics = new Map<string, TopicRecord>()
  for await (const record of source.read(input)) {
    signal?.throwIfAborted()
    if (record.kind === 'topic') topics.set(record.key, record)
  }
  const known = new Set(topics.size === 0 ? [] : (await target.topics()).map(({ key }) => key))
  for (const { kind: _kind, id: _id, ...topic } of topics.values()) {
    if (known.has(topic.key)) report.topics.existing++
    else {
      if (!dryRun) await target.createTopic(topic)
      report.topics.created++
    }
  }
}

interface Batch {
  suppressions: SuppressionRecord[]
  contacts: ContactRecord[]
}

async function* batchesOf(records: AsyncIterable<MoveRecord>, pass: number): AsyncGenerator<Batch> {
  let batch: Batch = { suppressions: [], contacts: [] }
  let characters = 0
  for await (const record of records) {
    if (passOf(record) !== pass) continue
    if (record.kind === 'contact') {
      batch.contacts.push(record)
      characters += JSON.stringify(record.data ?? '').length
    } else if (record.kind === 'suppression') batch.suppressions.push(record)
    if (batch.contacts.length < BATCH_MAX && batch.suppressions.length < BATCH_MAX && characters < BATCH_CHARACTERS)
      continue
    yield batch
    batch = { suppressions: [], contacts: [] }
    characters = 0
  }
  if (batch.contacts.length + batch.suppressions.length > 0) yield batch
}

async function transferPass(options: MoveOptions, report: Report, pass: number, skip: number): Promise<void> {
  const { source, input, target, dryRun, onProgress, signal } = options
  let batches = 0
  /** The next batch is read while one is written. */
  let writing: Promise<void> = Promise.resolve()
  const write = async (batch: Batch, number: number) => {
    const result = await target.transfer({
      source: source.title,
      dryRun,
      suppressions: batch.suppressions.map(({ email, reason }) => ({ email, reason })),
      contacts: batch.contacts.map(({ email, subscribed, data, topics, consent }) => ({
        email,
        subscribed,
        data,
        topics,
        consent: consentOf(consent),
      })),
    })
    addResult(report, batch, result)
    onProgress?.({ pass, batches: number, report })
  }
  for await (const batch of batchesOf(source.read(input), pass)) {
    await writing
    signal?.throwIfAborted()
    batches++
    if (batches <= skip) continue
    writing = write(batch, batches)
    writing.catch(() => undefined) // awaited above or below
  }
  await writing
}

const TEXT_MAX = 2_000
const FACT_MAX = 100

const consentOf = (consent: ContactRecord['consent']) =>
  consent && {
    at: consent.at?.slice(0, FACT_MAX),
    ip: consent.ip?.slice(0, FACT_MAX),
    text: consent.text?.slice(0, TEXT_MAX),
  }

function addResult(report: Report, batch: Batch, result: TransferResult): void {
  const { contacts, suppressions } = report
  contacts.created += result.created
  contacts.updated += result.updated
  contacts.unchanged += result.unchanged
  contacts.optedOut += result.optedOut
  contacts.keptOptOut += result.kept
  suppressions.created += result.suppressed
  let failed = 0
  for (const { list, index, email, error } of result.errors) {
    addProblem(report, { ...batch[list][index]!.place, what: email, error })
    if (list === 'contacts') contacts.failed++
    else failed++
  }
  suppressions.failed += failed
  suppressions.existing += batch.suppressions.length - failed - result.suppressed
}

/** In the order of what refers to what. References to records of the export become those of the project. */
async function createContent(
  { target, dryRun, from, signal }: MoveOptions,
  report: Report,
  records: AsyncIterable<MoveRecord>,
): Promise<void> {
  const found = new Map<ContentKind, ContentRecord[]>()
  const left = new Map<string, Report['left'][number]>()
  /** The keys are those of topics. */
  const topicIds = new Map<string, string>()
  for await (const record of records) {
    signal?.throwIfAborted()
    if (record.kind === 'left') {
      const known = left.get(record.what)
      if (known) known.count++
      else left.set(record.what, { what: record.what, why: record.why, count: 1 })
    } else if (record.kind === 'topic') {
      if (record.id) topicIds.set(record.key, record.id)
    } else if (record.kind !== 'contact' && record.kind !== 'suppression') {
      found.set(record.kind, [...(found.get(record.kind) ?? []), record])
    }
  }
  report.left = [...left.values()]
  const ids = new Map<string, string>()
  for (const { id, key } of topicIds.size === 0 ? [] : await target.topics()) {
    const old = topicIds.get(key)
    if (old) ids.set(old, id)
  }
  for (const kind of CONTENT_KINDS) {
    const wanted = found.get(kind) ?? []
    if (wanted.length === 0) continue
    const known = await target.named(kind)
    for (const record of wanted) {
      const existing = known.get(record.name)
      if (existing !== undefined) {
        report.content[kind].existing++
        if (record.id) ids.set(record.id, existing)
      } else await createOne(record)
    }
    async function createOne({ name, id, body, place }: ContentRecord) {
      try {
        const complete = withDefaults(kind, withNewIds(body, ids), from)
        const created = dryRun ? '' : await target.create(kind, complete)
        known.set(name, created)
        if (id) ids.set(id, created)
        report.content[kind].created++
      } catch (error) {
        report.content[kind].failed++
        addProblem(report, { ...place, what: `${kind} "${name}"`, error: (error as Error).message })
      }
    }
  }
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

function withNewIds(body: Record<string, unknown>, ids: Map<string, string>): Record<string, unknown> {
  if (ids.size === 0) return body
  return JSON.parse(JSON.stringify(body).replace(UUID, (id) => ids.get(id) || id)) as Record<string, unknown>
}

function withDefaults(
  kind: ContentKind,
  body: Record<string, unknown>,
  from: string | undefined,
): Record<string, unknown> {
  if (kind !== 'template' && kind !== 'campaign') return body
  const complete = { ...body, from: body.from ?? from }
  if (!complete.from) throw new Error('It has no sender. Name one for templates and campaigns without a sender.')
  const type = body.type ?? 'MARKETING'
  return kind === 'campaign' ? { audienceType: 'ALL', ...complete, type } : { ...complete, type }
}
