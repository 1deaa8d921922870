/** When copies of a draft are sent: the rule, the next time and what happened last. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Problem } from '../../lists/problem.tsx'
import { Card } from '../../shell/page.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, fieldError, Input, NumberInput, Select } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { ZONE } from './local-time.ts'
import { RecurrenceState } from './recurrence-history.tsx'
import { texts } from './texts.ts'
import { TimeZoneInput } from './timing/time-zone-input.tsx'

type Recurrence = Schemas['Recurrence']
type Rule = Omit<Schemas['RecurrenceInput'], 'weekdays'> & { weekdays?: number[] | null }

const T = texts.recurrence
const START: Rule = {
  every: 'week',
  time: '09:00',
  timezone: ZONE,
  weekdays: [1],
}

/** The fields of the request. */
const ruleOf = ({ every, time, timezone, weekdays, day, startsOn, endsOn, count, useTemplate }: Recurrence): Rule => ({
  every,
  time,
  timezone,
  weekdays,
  day,
  startsOn,
  endsOn,
  count,
  useTemplate,
})

export function RecurrenceCard({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  const { data } = useQuery({
    queryKey: [projectId, 'campaigns', campaign.id, 'recurrence'],
    enabled: campaign.recurrence !== null,
    queryFn: () => unwrap(api.campaigns.recurrence(campaign.id)),
  })
  const recurrence = campaign.recurrence === null ? undefined : data
  const refresh = () => queries.invalidateQueries({ queryKey: [projectId, 'campaigns'] })
  const setPaused = async (paused: boolean) => {
    const { error } = paused
      ? await api.campaigns.pauseRecurrence(campaign.id)
      : await api.campaigns.resumeRecurrence(campaign.id)
    if (error) toast.failed(error)
    else toast.done(paused ? T.paused : T.resumed)
    void refresh()
  }
  const isActive = recurrence?.status === 'active'
  return (
    <Card
      title={T.title}
      lead={recurrence ? T.rule(recurrence) : T.none}
      actions={
        <div className="flex flex-wrap gap-2">
          {recurrence && recurrence.status !== 'ended' && (
            <Button onClick={() => void setPaused(isActive)}>{isActive ? T.pause : T.resume}</Button>
          )}
          <Button onClick={() => setDialog('edit')}>{recurrence ? T.change : T.add}</Button>
          {recurrence && (
            <Button kind="danger" onClick={() => setDialog('delete')}>
              {T.remove}
            </Button>
          )}
        </div>
      }
    >
      {recurrence && <RecurrenceState campaignId={campaign.id} recurrence={recurrence} />}
      {dialog === 'edit' && (
        <RecurrenceDialog
          campaign={campaign}
          start={recurrence ? ruleOf(recurrence) : START}
          onClose={() => setDialog(undefined)}
          onSaved={refresh}
        />
      )}
      <Confirm
        open={dialog === 'delete'}
        onClose={() => setDialog(undefined)}
        title={T.removeTitle}
        action={T.remove}
        onConfirm={async () => {
          await unwrap(api.campaigns.deleteRecurrence(campaign.id))
          toast.done(T.removed)
          void refresh()
        }}
      >
        <p>{T.removeEffect}</p>
      </Confirm>
    </Card>
  )
}

interface RecurrenceDialogProps {
  campaign: Schemas['Campaign']
  start: Rule
  onClose(): void
  onSaved(): Promise<void>
}

function RecurrenceDialog({ campaign, start, onClose, onSaved }: RecurrenceDialogProps) {
  const { api } = useApi()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const [rule, setRule] = useState(start)
  const change = (changes: Partial<Rule>) => setRule((before) => ({ ...before, ...changes }))
  const setEvery = (every: Rule['every']) =>
    change({ every, weekdays: every === 'week' ? [1] : null, day: every === 'month' ? 1 : null })
  const { every, time, timezone, day, startsOn, endsOn, count, useTemplate } = rule
  const weekdays = rule.weekdays ?? []
  const toggle = (weekday: number) =>
    change({
      weekdays: weekdays.includes(weekday) ? weekdays.filter((other) => other !== weekday) : [...weekdays, weekday],
    })
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await run(api.campaigns.setRecurrence(campaign.id, rule)))) return
    toast.done(T.saved)
    void onSaved()
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={T.title} lead={T.lead}>
      <form onSubmit={save} className="space-y-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label={T.every}
            value={every}
            options={T.periods}
            onChange={(event) => setEvery(event.target.value as Rule['every'])}
          />
          {every === 'month' && (
            <NumberInput
              label={T.day}
              hint={T.dayHint}
              min={1}
              max={31}
              value={day ?? undefined}
              error={fieldError(error, 'day')}
              onChange={(value) => change({ day: value ?? null })}
            />
          )}
          <Input
            label={T.time}
            type="time"
            required
            value={time}
            error={fieldError(error, 'time')}
            onChange={(event) => change({ time: event.target.value })}
          />
          <TimeZoneInput
            label={T.timezone}
            value={timezone}
            error={fieldError(error, 'timezone')}
            onChange={(zone) => change({ timezone: zone })}
          />
          <Input
            label={T.startsOn}
            type="date"
            value={startsOn ?? ''}
            error={fieldError(error, 'startsOn')}
            onChange={(event) => change({ startsOn: event.target.value || null })}
          />
          <Input
            label={T.endsOn}
            type="date"
            value={endsOn ?? ''}
            error={fieldError(error, 'endsOn')}
            onChange={(event) => change({ endsOn: event.target.value || null })}
          />
          <NumberInput
            label={T.count}
            min={1}
            max={1_000}
            value={count ?? undefined}
            error={fieldError(error, 'count')}
            onChange={(value) => change({ count: value ?? null })}
          />
        </div>
        {every === 'week' && (
          <fieldset>
            <legend className="mb-1.5 text-sm font-medium">{T.weekday}</legend>
            <div className="flex flex-wrap gap-x-4 gap-y-2">
              {Object.entries(T.weekdays).map(([weekday, label]) => (
                <Checkbox
                  key={weekday}
                  label={label}
                  checked={weekdays.includes(Number(weekday))}
                  onChange={() => toggle(Number(weekday))}
                />
              ))}
            </div>
            {fieldError(error, 'weekdays') && (
              <p className="mt-1.5 text-[0.8125rem] text-bad">{fieldError(error, 'weekdays')}</p>
            )}
          </fieldset>
        )}
        {campaign.templateId && (
          <Checkbox
            label={T.useTemplate}
            checked={useTemplate ?? false}
            onChange={(event) => change({ useTemplate: event.target.checked })}
          />
        )}
        {problem && (
          <Problem error={problem} shown={['weekdays', 'day', 'time', 'timezone', 'startsOn', 'endsOn', 'count']} />
        )}
        <DialogActions>
          <Button onClick={onClose}>{sharedTexts.cancel}</Button>
          <Button kind="primary" type="submit" busy={busy}>
            {T.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
