/** An error with its suggestion, and for server errors the request ID. Fields are named as in the form. */
import { TriangleAlert } from 'lucide-react'
import { errorOf, labelOf, requestIdOf } from '../data/errors.ts'
import { sharedTexts } from '../shell/texts.ts'
import { Button } from '../ui/button.tsx'

interface ProblemProps {
  error: unknown
  retry?: () => void
  /** What failed. */
  title?: string
  /** Fields of the form that show their own error, and errors about parts of them. */
  shown?: readonly string[]
}

export function Problem({ error, retry, title, shown = [] }: ProblemProps) {
  const reported = errorOf(error)
  const { message, suggestion } = reported
  const isShown = (field: string) => shown.some((name) => field === name || field.startsWith(`${name}.`))
  const listed = reported.errors?.filter(({ field, message: text }) => !isShown(field) && text !== message) ?? []
  // Repeating the error beside its field would only add noise.
  if (reported.errors?.length && listed.length === 0 && reported.errors.every(({ field }) => isShown(field)))
    return (
      <p role="alert" className="text-sm text-bad">
        {sharedTexts.checkFields}
      </p>
    )
  const requestId = requestIdOf(reported)
  return (
    <div role="alert" className="flex gap-3 rounded-card border border-bad/30 bg-bad-wash p-4 text-sm">
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
      <div className="min-w-0 space-y-1">
        {title && <p className="font-medium text-bad">{title}</p>}
        <p className={title ? 'text-ink' : 'font-medium text-bad'}>{message}</p>
        {listed.length > 0 && (
          <ul className="list-inside list-disc text-ink">
            {listed.slice(0, 8).map((item) => (
              <li key={`${item.field} ${item.message}`}>
                {item.field && <span className="font-medium">{labelOf(item.field)}:</span>} {item.message}
              </li>
            ))}
          </ul>
        )}
        {suggestion && <p className="text-ink">{suggestion}</p>}
        {requestId && <p className="font-mono text-xs text-soft">{sharedTexts.requestId(requestId)}</p>}
        {retry && (
          <Button onClick={retry} className="mt-2">
            {sharedTexts.retry}
          </Button>
        )}
      </div>
    </div>
  )
}
