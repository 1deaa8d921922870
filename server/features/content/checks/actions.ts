/**
 * Checks an email before it is sent: its texts, links, images and HTML, and whether its recipients have the values it
 * uses.
 */
import { availableParallelism } from 'node:os'
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { EmailDocument } from '../../../kernel/content/email-document.ts'
import { decodeEntitiesInLiquid } from '../../../kernel/content/liquid-parts.ts'
import { refuseBrokenLiquid } from '../../../platform/rendering/renderer.ts'
import { createThreadPool, startThread, ThreadStopped } from '../../../platform/threads.ts'
import { type Audience, requireAudience } from '../../audience/segments/audience.ts'
import { compileContent } from '../documents/actions.ts'
import { galleryTexts } from '../gallery/actions.ts'
import { checkEmail, type EmailToCheck } from './email-rules.ts'
import type { CheckedContent, Finding, HtmlFinding, LineFinding } from './finding.ts'
import * as queries from './queries.ts'
import type { CheckRequest } from './schemas.ts'
import { addressPlaceOf } from './sender-rules.ts'
import { mergeFindings, type Variant, withVariant } from './variants.ts'

/** Enough for an accurate percentage. */
const AUDIENCE_MAX = 100_000
const NAMES_MAX = 40
const IMAGES_MAX = 500

/** So much HTML is checked in a few milliseconds. */
const SHORT_HTML = 10_000
const THREADS = { threads: Math.min(2, availableParallelism()), deadlineMs: 3_000 }
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

/** Checks long emails in threads, so that they don't delay other requests. */
export function createChecks(settings: Partial<typeof THREADS> = {}) {
  const pool = createThreadPool<EmailToCheck, Finding[]>({
    ...THREADS,
    ...settings,
    limits: LIMITS,
    start: (limits) => startThread('checks-thread', import.meta.url, limits),
  })
  return {
    async check(projectId: string, email: EmailToCheck): Promise<Finding[]> {
      if (email.html.length <= SHORT_HTML) return checkEmail(email)
      return pool.run(email, projectId).catch((error: unknown) => {
        if (error instanceof ThreadStopped) return [notChecked(email)]
        throw error
      })
    },
    close: () => pool.close(),
  }
}

export type Checker = ReturnType<typeof createChecks>

const notChecked = ({ document, mjml }: EmailToCheck): Finding => ({
  code: 'check.stopped',
  severity: 'warning',
  message: 'Checking the email took too long and was stopped.',
  fix: 'Shorten the email, or use fewer elements.',
  field: document ? 'document' : mjml ? 'mjml' : 'body',
})

interface Checked extends CheckedContent {
  document: EmailDocument | null
  mjml: string | null
  /** The names of values that are sent with each email. */
  provided: string[]
  audience?: Audience | undefined
}

export async function checkContent(
  ctx: Context,
  checks: Checker,
  projectId: string,
  input: z.output<typeof CheckRequest>,
) {
  const { subject, type, data = {}, audience, text } = input
  const preheader = input.preheader ?? ''
  await refuseBrokenLiquid(ctx.renderer, projectId, { subject, preheader, text: text ?? undefined })
  const { body, document, mjml } = (await compileContent(ctx, projectId, input))!
  const email = {
    subject,
    preheader,
    html: body,
    text,
    type,
    document,
    mjml,
    provided: Object.keys(data),
    audience: audience && (await requireAudience(ctx, projectId, type, audience)),
  }
  const variants: Variant[] = []
  for (const [i, variant] of (input.variants ?? []).entries())
    variants.push(await readVariant(ctx, projectId, variant, i))
  return checkVariants(ctx, checks, projectId, email, variants)
}

type VariantInput = NonNullable<z.output<typeof CheckRequest>['variants']>[number]

async function readVariant(
  ctx: Context,
  projectId: string,
  { name, subject = null, preheader = null, body, document }: VariantInput,
  index: number,
): Promise<Variant> {
  const at = (field: string) => `variants.${index}.${field}`
  await refuseBrokenLiquid(ctx.renderer, projectId, {
    [at('subject')]: subject ?? undefined,
    [at('preheader')]: preheader ?? undefined,
    [at('body')]: body ?? undefined,
  })
  const content = await compileContent(ctx, projectId, { body: body ?? undefined, document })
  return { name, subject, preheader, body: content?.body ?? null, document: content?.document ?? null }
}

interface SavedEmail extends Audience {
  subject: string
  preheader: string | null
  body: string
  /** The text part, if the author wrote one. */
  plain: string | null
  document: EmailDocument | null
  mjml: string | null
}

/** The content as it is saved, with its audience, or the variants that are sent instead. */
export function checkSaved(
  ctx: Context,
  checks: Checker,
  projectId: string,
  { subject, preheader, body, plain, type, document, mjml, ...audience }: SavedEmail,
  variants: Variant[] = [],
) {
  const content = { subject, preheader: preheader ?? '', html: body, text: plain, document, mjml }
  const email = { ...content, type, provided: [], audience: { ...audience, type } }
  return checkVariants(ctx, checks, projectId, email, variants)
}

type Given = Omit<Checked, 'text'> & { text?: string | null | undefined }

/** One after the other. If the data of the audience takes too long to read, it isn't read again. */
async function checkVariants(ctx: Context, checks: Checker, projectId: string, email: Given, variants: Variant[]) {
  if (variants.length === 0) return check(ctx, checks, projectId, email)
  let { audience } = email
  let covered: Covered = null
  const checked = []
  for (const variant of variants) {
    const result = await check(ctx, checks, projectId, { ...withVariant(email, variant), audience })
    covered = result.audience
    if (covered === null) audience = undefined
    checked.push({ variant, findings: result.findings })
  }
  return { findings: mergeFindings(checked), audience: covered }
}

async function check(ctx: Context, checks: Checker, projectId: string, given: Given) {
  const content: Checked = { ...given, text: given.text ?? (await ctx.renderer.plainText(projectId, given.html)) }
  const [audience, variables] = await checkVariables(ctx, projectId, content)
  const { subject, preheader, html, text, type, document, mjml } = content
  const [imageSizes, branding] = await Promise.all([
    sizesOf(ctx, projectId, html),
    queries.findBranding(ctx.db, projectId),
  ])
  const findings = await checks.check(projectId, {
    subject,
    preheader,
    html,
    text,
    type,
    document,
    mjml,
    imageSizes,
    samples: type === 'TRANSACTIONAL' ? [] : galleryTexts,
    addressIn: addressPlaceOf(branding),
    variables,
  })
  return { findings, audience }
}

/** The sizes of the project's own images, by URL. */
async function sizesOf(ctx: Context, projectId: string, html: string): Promise<Map<string, number>> {
  const prefix = `${ctx.baseUrl}/uploads/`
  const keys = html
    .split(prefix, IMAGES_MAX + 1)
    .slice(1)
    .map((rest) => /^[\w./-]*/.exec(rest)![0])
  if (keys.length === 0) return new Map()
  const sizes = await queries.findUploadSizes(ctx.db, projectId, [...new Set(keys)])
  return new Map([...sizes].map(([key, size]) => [prefix + key, size]))
}

/** Names that every email has; `event` is that of a workflow, `feed` that of a campaign. */
const GIVEN = new Set([
  'id',
  'email',
  'unsubscribeUrl',
  'subscribeUrl',
  'manageUrl',
  'confirmUrl',
  'viewInBrowserUrl',
  'event',
  'feed',
])

type VariableFinding = HtmlFinding | LineFinding
type Covered = { contacts: number; isSample: boolean } | null

/** Where a finding about a variable is: in the HTML, or in the field that uses it. */
type PlaceOf = (name: string) => Pick<HtmlFinding, 'at' | 'needle'> | Pick<LineFinding, 'field'>

async function checkVariables(
  ctx: Context,
  projectId: string,
  { subject, preheader, html, provided, audience }: Checked,
): Promise<[Covered, VariableFinding[]]> {
  const used = await Promise.all(
    [subject, preheader, decodeEntitiesInLiquid(html)].map((source) => ctx.renderer.unguardedNames(projectId, source)),
  )
  const [inSubject, inPreheader, inHtml] = used.map((names) => new Set(names.map(withoutData))) as NameSets
  const placeOf: PlaceOf = (name) => {
    if (!inHtml.has(name)) return { field: inSubject.has(name) ? 'subject' : 'preheader' }
    return { at: Math.max(0, html.indexOf(name)), needle: name }
  }
  const paths = [...new Set([...inSubject, ...inPreheader, ...inHtml])]
    .map((name) => name.split('.'))
    .filter(([first]) => !GIVEN.has(first!) && !provided.includes(first!))
    .slice(0, NAMES_MAX)
  if (!audience) return [null, await unknownNames(ctx, projectId, placeOf, paths)]
  const now = ctx.clock.now()
  const coverage = await queries.measureCoverage(ctx.db, projectId, audience, paths, AUDIENCE_MAX + 1, now)
  if (!coverage) return [null, await unknownNames(ctx, projectId, placeOf, paths)]
  const { contacts, missing } = coverage
  const isSample = contacts > AUDIENCE_MAX
  if (contacts === 0) return [{ contacts, isSample }, [NO_RECIPIENTS]]
  const gaps = paths.flatMap((path, i) =>
    missing[i]! > 0 ? [gapOf(placeOf, path.join('.'), missing[i]! / contacts, isSample)] : [],
  )
  return [{ contacts: Math.min(contacts, AUDIENCE_MAX), isSample }, gaps]
}

type NameSets = [Set<string>, Set<string>, Set<string>]

const withoutData = (name: string): string => name.replace(/^data\./, '')

const NO_RECIPIENTS: HtmlFinding = {
  code: 'audience.empty',
  severity: 'warning',
  message: 'No contact in this audience would receive the email.',
  fix: 'Choose another audience.',
  at: 0,
}

/** "Less than 1%" is clearer than 0%, and 99.6% is not everyone. */
function percentOf(share: number): string {
  if (share === 1) return '100%'
  const percent = Math.min(99, Math.round(share * 100))
  return percent < 1 ? 'Less than 1%' : `${percent}%`
}

const gapOf = (placeOf: PlaceOf, name: string, share: number, isSample: boolean): VariableFinding => ({
  code: 'variable.missing',
  severity: 'warning',
  message: isSample
    ? `${percentOf(share)} of the contacts checked have no ${name}.`
    : `${percentOf(share)} of this audience has no ${name}.`,
  fix: `Add a fallback, such as {{ ${name} | default: "…" }}, or show the text only if there is a value.`,
  ...placeOf(name),
})

async function unknownNames(
  ctx: Context,
  projectId: string,
  placeOf: PlaceOf,
  paths: string[][],
): Promise<VariableFinding[]> {
  if (paths.length === 0) return []
  const known = await queries.findKnownNames(ctx.db, projectId, [...new Set(paths.map(([first]) => first!))])
  return paths
    .filter(([first]) => !known.has(first!))
    .map(
      (path): VariableFinding => ({
        code: 'variable.unknown',
        severity: 'info',
        message: `No contact has ${path.join('.')}.`,
        fix: 'Check the name, add a fallback, or send the value in `data` with each email.',
        ...placeOf(path.join('.')),
      }),
    )
}
