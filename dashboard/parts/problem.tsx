/** Something went wrong: the API's own words, what it suggests, and the id to ask about. */
import { TriangleAlert } from 'lucide-react'
import { errorOf } from '../api.ts'
import { Button } from './button.tsx'

export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const { message, suggestion, requestId, errors } = errorOf(error)
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
        {requestId && <p className="font-mono text-xs text-soft">Request {requestId}</p>}
        {retry && (
          <Button onClick={retry} className="mt-2">
            Try again
          </Button>
        )}
      </div>
    </div>
  )
}
