/** Sends or schedules a campaign, after showing how many contacts will receive it. */
import { useQueryClient } from '@tanstack/react-query'
import { CalendarClock, Send } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Schemas } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Problem } from '../../lists/problem.tsx'
import { AddressQuestion } from '../../mail/address-question.tsx'
import { CapturedNotice } from '../../mail/captured-notice.tsx'
import { CampaignChecks } from '../../mail/content-checks.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { AudienceCount, useAudience } from './audience.tsx'
import { draftOf } from './draft.ts'
import { ZONE } from './local-time.ts'
import { texts } from './texts.ts'
import { isScheduled, planOf, requestOf } from './timing/plan.ts'
import { TIMING_FIELDS, TimingFields } from './timing/timing-fields.tsx'

type Campaign = Schemas['Campaign']

export function SendCampaign({ campaign }: { campaign: Campaign }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        <Send aria-hidden /> {campaign.status === 'SCHEDULED' ? texts.send.openScheduled : texts.send.open}
      </Button>
      {open && <SendDialog campaign={campaign} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Changes only the time of a scheduled campaign. */
export function RescheduleCampaign({ campaign }: { campaign: Campaign }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <CalendarClock aria-hidden /> {texts.send.changeTime}
      </Button>
      {open && <SendDialog onlyTime campaign={campaign} onClose={() => setOpen(false)} />}
    </>
  )
}

interface SendDialogProps {
  campaign: Campaign
  onlyTime?: boolean
  onClose(): void
}

function SendDialog({ campaign, onlyTime, onClose }: SendDialogProps) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const [plan, setPlan] = useState(() => planOf(campaign, new Date(), ZONE))
  const { data: audience } = useAudience(draftOf(campaign), campaign.type)
  const sendCampaign = async (event: FormEvent) => {
    event.preventDefault()
    const now = new Date()
    if (!(await run(api.campaigns.send(campaign.id, requestOf(plan, now))))) return
    toast.done(isScheduled(plan, now) ? texts.send.scheduled : texts.send.started)
    void queries.invalidateQueries({ queryKey: [projectId, 'campaigns'] })
    onClose()
  }
  const willWait = isScheduled(plan, new Date())
  return (
    <Dialog open onClose={onClose} title={onlyTime ? texts.send.changeTime : texts.send.title(campaign.name)}>
      <form onSubmit={sendCampaign} className="space-y-4">
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm wrap-anywhere">
          <dt className="text-soft">{texts.one.subject}</dt>
          <dd className="font-medium">{campaign.subject}</dd>
          <dt className="text-soft">{texts.one.from}</dt>
          <dd>{campaign.fromName ? `${campaign.fromName} <${campaign.from}>` : campaign.from}</dd>
        </dl>
        <CapturedNotice />
        <AudienceCount audience={draftOf(campaign)} type={campaign.type} />
        <TimingFields
          plan={plan}
          onlyTime={onlyTime ?? false}
          hasExperiment={campaign.hasExperiment}
          isMarketing={campaign.type === 'MARKETING'}
          error={error}
          onChange={setPlan}
        />
        <AddressQuestion type={campaign.type} />
        <CampaignChecks id={campaign.id} />
        {problem && <Problem error={problem} shown={willWait ? TIMING_FIELDS : TIMING_FIELDS.slice(1)} />}
        <DialogActions>
          <Button onClick={onClose}>{sharedTexts.cancel}</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={!audience || audience.count === 0}>
            {willWait ? texts.send.submitLater(audience?.count) : texts.send.submitNow(audience?.count)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
