/**
 * Compiles what an email is written in to the HTML that is stored and sent. This happens when content is saved or previewed,
 * never for each recipient.
 */
import type { Context } from '../../context.ts'
import type { EmailDocument } from '../../kernel/email-document.ts'
import { invalid, invalidField } from '../../kernel/errors.ts'
import type { ContentSource } from '../../kernel/mail-content.ts'
import { SOURCE_MAX } from '../../kernel/template-limits.ts'
import { MjmlError } from '../../platform/mjml/mjml-compiler.ts'
import { refuseBrokenLiquid } from '../../platform/rendering/renderer.ts'
import { unsubscribeText } from '../composing/additions.ts'
import { languageOf, textsIn } from '../preferences/actions.ts'
import { type DocumentBrand, documentToMjml } from './blocks.ts'
import { unsafeMarkup } from './markup.ts'
import { readBrand } from './queries.ts'

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
  refuseUnsafeMarkup(document)
  return compileField(ctx, 'document', await documentSource(ctx, projectId, document))
}

/** The MJML of a document, for authors who continue in code. */
export const documentSource = async (ctx: Context, projectId: string, document: EmailDocument): Promise<string> =>
  documentToMjml(document, await brandOf(ctx, projectId))

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

function refuseUnsafeMarkup({ blocks }: EmailDocument): void {
  const problems = unsafeMarkup(blocks, 'document.blocks')
  if (problems.length > 0) throw invalid(problems)
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
