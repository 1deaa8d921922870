/** The last look before a campaign goes out: how many get it, and when. */
import { useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Schemas } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { countWords } from '../../parts/count-words.ts'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Input } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import { AudienceCount, useAudience } from './audience.tsx'
import { draftOf } from './draft.ts'
import { fromLocalTime, toLocalTime } from './local-time.ts'

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
const HOUR_MS = 3_600_000

export function SendCampaign({ campaign }: { campaign: Schemas['Campaign'] }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        <Send aria-hidden /> {campaign.status === 'SCHEDULED' ? 'Send or reschedule' : 'Send'}
      </Button>
      {open && <SendDialog campaign={campaign} onClose={() => setOpen(false)} />}
    </>
  )
}

function SendDialog({ campaign, onClose }: { campaign: Schemas['Campaign']; onClose(): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { act, busy, problem } = useAct()
  const [later, setLater] = useState(campaign.status === 'SCHEDULED')
  const [at, setAt] = useState(() =>
    toLocalTime(campaign.scheduledFor ? new Date(campaign.scheduledFor) : new Date(Date.now() + HOUR_MS)),
  )
  const { data: audience } = useAudience(draftOf(campaign), campaign.type)
  const to = audience ? countWords(audience.count, 'contact') : '…'
  const sends = async (event: FormEvent) => {
    event.preventDefault()
    const when = later ? { scheduledFor: fromLocalTime(at).toISOString() } : undefined
    if (!(await act(api.campaigns.send(campaign.id, when)))) return
    toast.done(later ? 'Campaign scheduled.' : 'Off it goes.')
    void queries.invalidateQueries({ queryKey: [projectId, 'campaigns'] })
    onClose()
  }
  const choices: [boolean, string][] = [
    [false, 'Now'],
    [true, 'At a time'],
  ]
  return (
    <Dialog open onClose={onClose} title={`Send ${campaign.name}`}>
      <form onSubmit={sends} className="space-y-4">
        <AudienceCount audience={draftOf(campaign)} type={campaign.type} />
        <fieldset className="flex gap-6">
          <legend className="mb-2 text-sm font-medium">When</legend>
          {choices.map(([value, words]) => (
            <label key={words} className="flex items-center gap-2 text-sm">
              <input
                type="radio"
                name="when"
                className="accent-accent"
                checked={later === value}
                onChange={() => setLater(value)}
              />
              {words}
            </label>
          ))}
        </fieldset>
        {later && (
          <Input
            label="Date and time"
            type="datetime-local"
            required
            hint={`Your time zone: ${ZONE}.`}
            value={at}
            onChange={(event) => setAt(event.target.value)}
          />
        )}
        {problem && <Problem error={problem} />}
        <DialogActions>
          <Button onClick={onClose}>Not yet</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={!audience || audience.count === 0}>
            {later ? `Schedule for ${to}` : `Send to ${to}`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
