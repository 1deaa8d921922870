/**
 * Compiles what an email is written in to the HTML that is stored and sent. This happens when content is saved or previewed,
 * never for each recipient.
 */
import type { Context } from '../../context.ts'
import type { Block, EmailDocument } from '../../kernel/email-document.ts'
import { invalid, invalidField, Refusal } from '../../kernel/errors.ts'
import type { ContentSource } from '../../kernel/mail-content.ts'
import { SOURCE_MAX } from '../../kernel/template-limits.ts'
import { MjmlError } from '../../platform/mjml/mjml-compiler.ts'
import { refuseBrokenLiquid } from '../../platform/rendering/renderer.ts'
import { unsubscribeText } from '../composing/additions.ts'
import { languageOf, textsIn } from '../preferences/actions.ts'
import { type DocumentBrand, documentToMjml } from './blocks.ts'
import { unsafeMarkup } from './markup.ts'
import { findLayoutBlocks, readBrand } from './queries.ts'

/** All three are set together, so that they always belong to each other. */
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
  if (mjml) return { body: await compileMjml(ctx, mjml), document: null, mjml }
  if (body === undefined) return undefined
  await refuseBrokenLiquid(ctx.renderer, { body })
  return { body, document: null, mjml: null }
}

async function compileDocument(ctx: Context, projectId: string, document: EmailDocument): Promise<string> {
  refuseUnsafeBlocks(document.blocks, 'document.blocks')
  return compileField(ctx, 'document', await documentSource(ctx, projectId, document))
}

/** The MJML of a document, for authors who continue in code. */
export const documentSource = async (ctx: Context, projectId: string, document: EmailDocument): Promise<string> =>
  documentToMjml(await withLayout(ctx, projectId, document), await brandOf(ctx, projectId))

async function compileMjml(ctx: Context, mjml: string): Promise<string> {
  await refuseBrokenLiquid(ctx.renderer, { mjml }) // with the positions in what the author wrote
  return compileField(ctx, 'mjml', mjml)
}

async function compileField(ctx: Context, field: 'document' | 'mjml', source: string): Promise<string> {
  const html = await ctx.mjml.compile(source).catch((error: unknown) => {
    throw error instanceof MjmlError ? invalidField(field, error.message) : error
  })
  if (html.length > SOURCE_MAX)
    throw invalidField(
      field,
      `The compiled HTML has ${html.length} characters; the maximum is ${SOURCE_MAX}. Remove some content.`,
      'too_big',
    )
  await refuseBrokenLiquid(ctx.renderer, { [field]: html })
  return html
}

/** The layout was checked when it was saved. */
async function withLayout(ctx: Context, projectId: string, document: EmailDocument): Promise<EmailDocument> {
  if (!document.layoutId) return document
  const layout = await findLayoutBlocks(ctx.db, projectId, document.layoutId)
  if (!layout) throw invalidField('document.layoutId', `There is no layout with the ID ${document.layoutId}.`)
  return { ...document, blocks: [...layout.header, ...document.blocks, ...layout.footer] }
}

export function refuseUnsafeBlocks(blocks: readonly Block[], path: string): void {
  const problems = unsafeMarkup(blocks, path)
  if (problems.length > 0) throw invalid(problems)
}

export interface VisualEmail {
  id: string
  document: EmailDocument
}

/** How a feature reads and writes its visual emails. */
export interface VisualEmails {
  /** The next page in the order of IDs. */
  next(after: string | undefined): Promise<VisualEmail[]>
  /** Only if the document is still the same. */
  save(email: VisualEmail, body: string): Promise<void>
}

/** After a change of the brand or of a layout. An email that can no longer be compiled keeps its HTML. */
export async function recompile(ctx: Context, projectId: string, emails: VisualEmails): Promise<void> {
  for (let page = await emails.next(undefined); page.length > 0; page = await emails.next(page.at(-1)!.id)) {
    for (const email of page) {
      try {
        await emails.save(email, await compileDocument(ctx, projectId, email.document))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        ctx.log.warn({ projectId, id: email.id, reason: error.message }, 'a visual email could not be compiled again')
      }
    }
  }
}

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
