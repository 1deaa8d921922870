/** What is wrong with Liquid that someone wrote, as problems of the fields they wrote it in. */
import { type FieldProblem, invalid } from '../../kernel/errors.ts'
import type { Renderer } from '../../platform/rendering/renderer.ts'
import { TemplateError } from '../../platform/rendering/template-error.ts'

export function liquidProblem(field: string, error: TemplateError): FieldProblem {
  const place = error.line === undefined ? '' : ` (line ${error.line}, column ${error.column})`
  return { field, message: `${error.message}${place}`, code: 'custom' }
}

/** Refuses texts that could never be rendered, all of them at once. A text that is absent or has no Liquid is valid. */
export async function refuseBrokenLiquid(renderer: Renderer, texts: Record<string, string | undefined>): Promise<void> {
  const problems = await Promise.all(
    Object.entries(texts).map(async ([field, text]) => {
      try {
        if (text !== undefined) await renderer.check(text)
        return []
      } catch (error) {
        if (error instanceof TemplateError) return [liquidProblem(field, error)]
        throw error
      }
    }),
  )
  if (problems.flat().length > 0) throw invalid(problems.flat())
}
