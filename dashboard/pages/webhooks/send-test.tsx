/** The form that sends an example of an event to an endpoint, and shows the response. */
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Schemas } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Problem } from '../../lists/problem.tsx'
import { Picker } from '../../pickers/picker.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Dialog, SubmitActions } from '../../ui/dialog.tsx'
import type { Endpoint } from './endpoint-state.tsx'
import { texts } from './texts.ts'
import { useEventTypes } from './use-event-types.ts'

type Attempt = NonNullable<Schemas['WebhookDelivery']['lastAttempt']>

export function SendTestDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose(): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const { run, busy, problem } = useAction()
  const types = useEventTypes(endpoint)
  const [eventType, setEventType] = useState('')
  const [result, setResult] = useState<Omit<Attempt, 'at'>>()

  const sendTest = async (event: FormEvent) => {
    event.preventDefault()
    setResult(undefined)
    const tested = await run(api.webhookEndpoints.test(endpoint.id, eventType ? { eventType } : {}))
    setResult(tested?.data)
    void queries.invalidateQueries({ queryKey: [projectId, 'webhooks', endpoint.id] })
  }

  return (
    <Dialog open disposable onClose={onClose} title={texts.test.title} lead={texts.test.lead}>
      <form onSubmit={sendTest} className="space-y-4">
        <Picker
          kind="event"
          label={texts.log.event}
          choices={[{ value: '', label: texts.test.anyType }, ...types.map((type) => ({ value: type, label: type }))]}
          value={eventType}
          onChoose={setEventType}
        />
        {result && (
          <div className="space-y-2 text-sm" role="status">
            <p className="font-medium">
              {result.status === null
                ? texts.test.failed(result.error ?? '')
                : texts.delivery.result(result.status, result.durationMs)}
            </p>
            {result.status !== null && (
              <CodeBlock label={texts.test.response} text={result.response || texts.delivery.emptyResponse} />
            )}
          </div>
        )}
        {problem && <Problem error={problem} />}
        <SubmitActions busy={busy} onCancel={onClose}>
          {texts.test.action}
        </SubmitActions>
      </form>
    </Dialog>
  )
}
