/** Liquid errors as problems of the fields that contain them. */
import { type FieldProblem, invalid } from '../../kernel/errors.ts'
import { isStatic, parseTemplate } from '../../platform/rendering/template.ts'
import { TemplateError } from '../../platform/rendering/template-error.ts'

export function liquidProblem(field: string, error: TemplateError): FieldProblem {
  const place = error.line === undefined ? '' : ` (line ${error.line}, column ${error.column})`
  return { field, message: `${error.message}${place}`, code: 'custom' }
}

/** Refuses all texts that can't be rendered. Absent texts and texts without Liquid are valid. */
export function refuseBrokenLiquid(texts: Record<string, string | undefined>): void {
  const problems = Object.entries(texts).flatMap(([field, text]) => {
    try {
      if (text !== undefined && !isStatic(text)) parseTemplate(text)
      return []
    } catch (error) {
      if (error instanceof TemplateError) return [liquidProblem(field, error)]
      throw error
    }
  })
  if (problems.length > 0) throw invalid(problems)
}
