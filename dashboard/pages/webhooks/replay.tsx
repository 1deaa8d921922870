/** The form that replays the deliveries of a time range. */
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Problem } from '../../lists/problem.tsx'
import { Picker } from '../../pickers/picker.tsx'
import { Dialog, SubmitActions } from '../../ui/dialog.tsx'
import { fieldError, Input, Select } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { fromLocalTime, toLocalTime, ZONE } from '../campaigns/local-time.ts'
import type { Endpoint } from './endpoint-state.tsx'
import { texts } from './texts.ts'
import { useEventTypes } from './use-event-types.ts'

const DAY_MS = 86_400_000

export function ReplayDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose(): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const types = useEventTypes(endpoint)
  const [since, setSince] = useState(() =>
    toLocalTime(endpoint.failingSince ? new Date(endpoint.failingSince) : new Date(Date.now() - DAY_MS)),
  )
  const [until, setUntil] = useState('')
  const [status, setStatus] = useState<'failed' | 'all'>('failed')
  const [eventType, setEventType] = useState('')

  const replayDeliveries = async (event: FormEvent) => {
    event.preventDefault()
    const replayed = await run(
      api.webhookEndpoints.replay(endpoint.id, {
        since: fromLocalTime(since).toISOString(),
        ...(until && { until: fromLocalTime(until).toISOString() }),
        status,
        ...(eventType && { eventType }),
      }),
    )
    if (!replayed) return
    toast.done(texts.replay.done(replayed.data.count))
    void queries.invalidateQueries({ queryKey: [projectId, 'webhooks'] })
    onClose()
  }

  return (
    <Dialog open onClose={onClose} title={texts.replay.title} lead={texts.replay.lead}>
      <form onSubmit={replayDeliveries} className="space-y-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Input
            label={texts.replay.since}
            type="datetime-local"
            required
            hint={texts.replay.timeZone(ZONE)}
            error={fieldError(error, 'since')}
            value={since}
            onChange={(event) => setSince(event.target.value)}
          />
          <Input
            label={texts.replay.until}
            type="datetime-local"
            hint={texts.replay.untilHint}
            error={fieldError(error, 'until')}
            value={until}
            onChange={(event) => setUntil(event.target.value)}
          />
        </div>
        <Select
          label={texts.replay.which}
          options={texts.replay.statuses}
          value={status}
          onChange={(event) => setStatus(event.target.value as 'failed' | 'all')}
        />
        <Picker
          kind="event"
          label={texts.log.event}
          choices={[{ value: '', label: texts.log.anyEvent }, ...types.map((type) => ({ value: type, label: type }))]}
          value={eventType}
          onChoose={setEventType}
        />
        {problem && <Problem error={problem} shown={['since', 'until']} />}
        <SubmitActions busy={busy} onCancel={onClose}>
          {texts.replay.action}
        </SubmitActions>
      </form>
    </Dialog>
  )
}
