/**
 * Compiles what an email is written in to the HTML that is stored and sent. This happens when content is saved or
 * previewed, never for each recipient.
 */
import { setImmediate } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import type { Block, EmailDocument } from '../../../kernel/content/email-document.ts'
import type { ContentSource } from '../../../kernel/content/mail-content.ts'
import { SOURCE_MAX } from '../../../kernel/content/template-limits.ts'
import { type FieldProblem, invalid, invalidField, Refusal } from '../../../kernel/errors.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { MjmlError } from '../../../platform/mjml/mjml-compiler.ts'
import { enqueue } from '../../../platform/queue/job-table.ts'
import { refuseBrokenLiquid } from '../../../platform/rendering/renderer.ts'
import { TemplateError } from '../../../platform/rendering/template-error.ts'
import { languageOf, textsIn } from '../../audience/preferences/actions.ts'
import { unsubscribeText } from '../composing/additions.ts'
import { type DocumentBrand, documentToMjml } from './blocks.ts'
import { withImageSizes } from './image-sizes.ts'
import { type HtmlBlock, htmlBlocksOf, unsafeMarkup } from './markup.ts'
import { findImageSizes, findLayoutBlocks, keepLayout, readBrand } from './queries.ts'
import type { VisualEmail } from './version-queries.ts'

/** All three are set together, so that they always match. */
export interface CompiledContent {
  body: string
  document: EmailDocument | null
  mjml: string | null
}

/** Undefined if no content is given. Refuses what can't be compiled and broken Liquid, naming the field. */
export async function compileContent(
  ctx: Context,
  projectId: string,
  { body, document, mjml }: ContentSource,
): Promise<CompiledContent | undefined> {
  if (document) return { body: await compileDocument(ctx, projectId, document), document, mjml: null }
  if (mjml) return { body: await compileMjml(ctx, projectId, mjml), document: null, mjml }
  if (body === undefined) return undefined
  await refuseBrokenLiquid(ctx.renderer, projectId, { body })
  return { body, document: null, mjml: null }
}

/**
 * A stored document, compiled with the current brand and layout: a copy or an older version may predate a change.
 * A layout that no longer exists is omitted. Other content is returned as it is.
 */
export async function compileStored<T extends CompiledContent>(ctx: Context, projectId: string, stored: T): Promise<T> {
  if (!stored.document) return stored
  const parts = sharedParts(ctx, projectId)
  const { layoutId, ...withoutLayout } = stored.document
  const document = layoutId && !(await parts.layout(layoutId)) ? withoutLayout : stored.document
  return { ...stored, document, body: await compileDocument(ctx, projectId, document, parts) }
}

async function compileDocument(
  ctx: Context,
  projectId: string,
  document: EmailDocument,
  parts = sharedParts(ctx, projectId),
): Promise<string> {
  await refuseUnsafeBlocks(ctx, projectId, { 'document.blocks': document.blocks })
  return compileField(ctx, projectId, 'document', await mjmlOf(document, parts))
}

/** The MJML of a document, for authors who continue in code. */
export const documentSource = (ctx: Context, projectId: string, document: EmailDocument): Promise<string> =>
  mjmlOf(document, sharedParts(ctx, projectId))

const mjmlOf = async (document: EmailDocument, parts: SharedParts): Promise<string> =>
  documentToMjml(await withLayout(document, parts), await parts.brand())

async function compileMjml(ctx: Context, projectId: string, mjml: string): Promise<string> {
  await refuseBrokenLiquid(ctx.renderer, projectId, { mjml }) // with the positions in what the author wrote
  return compileField(ctx, projectId, 'mjml', mjml)
}

const TIMEOUT = 'timeout'

async function compileField(
  ctx: Context,
  projectId: string,
  field: 'document' | 'mjml',
  source: string,
): Promise<string> {
  const compiled = await ctx.mjml.compile(projectId, source).catch((error: unknown) => {
    if (!(error instanceof MjmlError)) throw error
    throw invalidField(field, error.message, error.isTimeout ? TIMEOUT : undefined)
  })
  const html = await withSizesOfUploads(ctx, projectId, compiled)
  if (html.length > SOURCE_MAX)
    throw invalidField(
      field,
      `The compiled HTML has ${html.length} characters; the maximum is ${SOURCE_MAX}. Remove some content.`,
      'too_big',
    )
  await refuseBrokenLiquid(ctx.renderer, projectId, { [field]: html })
  return html
}

async function withSizesOfUploads(ctx: Context, projectId: string, html: string): Promise<string> {
  const uploads = `${ctx.baseUrl}/uploads/`
  return withImageSizes(html, `${uploads}${projectId}/`, async (sources) => {
    const rows = await findImageSizes(
      ctx.db,
      projectId,
      sources.map((source) => source.slice(uploads.length)),
    )
    return new Map(rows.map(({ storage_key: key, width, height }) => [`${uploads}${key}`, { width, height }]))
  })
}

type SharedParts = ReturnType<typeof sharedParts>

/** What the documents of a project share. Each part is read once, when it is first used. */
function sharedParts(ctx: Context, projectId: string) {
  let brand: Promise<DocumentBrand> | undefined
  const layouts = new Map<string, ReturnType<typeof findLayoutBlocks>>()
  return {
    brand(): Promise<DocumentBrand> {
      brand ??= brandOf(ctx, projectId)
      return brand
    },
    layout(id: string) {
      const layout = layouts.get(id) ?? findLayoutBlocks(ctx.db, projectId, id)
      layouts.set(id, layout)
      return layout
    },
  }
}

/** The layout was checked when it was saved. */
async function withLayout(document: EmailDocument, parts: SharedParts): Promise<EmailDocument> {
  if (!document.layoutId) return document
  const layout = await parts.layout(document.layoutId)
  if (!layout) throw noLayout(document.layoutId)
  return { ...document, blocks: [...layout.header, ...document.blocks, ...layout.footer] }
}

const noLayout = (id: string) => invalidField('document.layoutId', `There is no layout with the ID ${id}.`)

/** No request that saves an email takes this long. */
export const SAVE_MS_MAX = 2 * 60_000

/**
 * Called in the transaction that saves a document: its layout may have been deleted since it was compiled. If it may
 * have been changed, the emails with this layout are compiled again.
 */
export async function requireLayout(
  tx: Tx,
  projectId: string,
  document: EmailDocument | null | undefined,
  now: Date,
): Promise<void> {
  const layoutId = document?.layoutId
  if (!layoutId) return
  const layout = await keepLayout(tx, projectId, layoutId)
  if (!layout) throw noLayout(layoutId)
  const [createdAt, updatedAt] = [layout.created_at.getTime(), layout.updated_at.getTime()]
  if (updatedAt === createdAt || updatedAt < now.getTime() - SAVE_MS_MAX) return
  const payload = { projectId, layoutId, isRepeat: true }
  await enqueue(tx, 'recompile-emails', payload, { jobKey: `recompile-emails ${projectId} ${layoutId} saved` })
}

export async function refuseUnsafeBlocks(
  ctx: Context,
  projectId: string,
  lists: Record<string, readonly Block[]>,
): Promise<void> {
  const blocks = Object.entries(lists).flatMap(([path, list]) => htmlBlocksOf(list, path))
  const rendered = await renderEmpty(ctx, projectId, blocks)
  const problems: FieldProblem[] = []
  for (const [i, block] of blocks.entries()) {
    problems.push(...unsafeMarkup(block, rendered[i]))
    await setImmediate() // other requests are served in between
  }
  if (problems.length > 0) throw invalid(problems)
}

const SEPARATOR = '\u001e'

/**
 * All blocks with empty values, rendered at once so that they share one time limit. Liquid that spans blocks makes their
 * number differ: then the first has all. Empty if rendering fails.
 */
async function renderEmpty(ctx: Context, projectId: string, blocks: HtmlBlock[]): Promise<string[]> {
  const source = blocks.map(({ code }) => code.replaceAll(SEPARATOR, '')).join(SEPARATOR)
  try {
    const rendered = await ctx.renderer.render(projectId, source, {}, { escape: true, now: ctx.clock.now() })
    const parts = rendered.split(SEPARATOR)
    return parts.length === blocks.length ? parts : [parts.join('')]
  } catch (error) {
    if (error instanceof TemplateError) return [] // broken Liquid is refused when the document is compiled
    throw error
  }
}

/** How a feature reads and writes its visual emails. */
export interface VisualEmails {
  /** The next page in the order of IDs. */
  next(after: string | undefined): Promise<VisualEmail[]>
  /** Only if the document is still the same. */
  save(email: VisualEmail, body: string): Promise<void>
}

/**
 * After a change to the brand or a layout. An email that can no longer be compiled keeps its HTML. If an email could
 * not be compiled in time, the job fails after the others, so that it is retried.
 */
export async function recompile(ctx: Context, projectId: string, emails: VisualEmails): Promise<void> {
  let late: unknown
  for (let page = await emails.next(undefined); page.length > 0; page = await emails.next(page.at(-1)!.id)) {
    const parts = sharedParts(ctx, projectId)
    for (const email of page) {
      try {
        await emails.save(email, await compileDocument(ctx, projectId, email.document, parts))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        if (mayWorkLater(error)) late = error
        ctx.log.warn({ projectId, id: email.id, reason: error.message }, 'a visual email could not be recompiled')
      }
    }
  }
  if (late) throw late
}

const mayWorkLater = ({ kind, extras }: Refusal): boolean =>
  kind !== 'invalid' || (extras.problems ?? []).some(({ code }) => code === TIMEOUT)

async function brandOf(ctx: Context, projectId: string): Promise<DocumentBrand> {
  const { name, language, branding } = await readBrand(ctx.db, projectId)
  const spoken = languageOf(language)
  return {
    projectName: name,
    language: spoken,
    ...branding,
    texts: { unsubscribe: unsubscribeText(spoken), manage: textsIn(spoken).manage.title },
  }
}
