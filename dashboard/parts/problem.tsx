/** An error: the API's message, its suggestion, and for server errors the request ID. */
import { TriangleAlert } from 'lucide-react'
import { errorOf, requestIdOf } from '../errors.ts'
import { Button } from './button.tsx'
import { sharedTexts } from './texts.ts'

export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const reported = errorOf(error)
  const { message, suggestion, errors } = reported
  const requestId = requestIdOf(reported)
  return (
    <div role="alert" className="flex gap-3 rounded-card border border-bad/30 bg-bad-wash p-4 text-sm">
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
      <div className="min-w-0 space-y-1">
        <p className="font-medium text-bad">{message}</p>
        {errors && errors.length > 0 && (
          <ul className="list-inside list-disc text-ink">
            {errors.slice(0, 8).map((item) => (
              <li key={`${item.field} ${item.message}`}>
                {item.field && <code className="font-mono text-[0.8125rem]">{item.field}</code>} {item.message}
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
