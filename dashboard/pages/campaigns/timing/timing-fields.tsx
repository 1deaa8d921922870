/** Chooses when each recipient gets a campaign. */

import type { PosthornError } from '../../../data/api.ts'
import { useProject } from '../../../data/project.ts'
import { formatMinutes } from '../../../figures/format.ts'
import { Moment } from '../../../figures/moment.tsx'
import { RichText } from '../../../shell/rich-text.tsx'
import { fieldError, Input, Select } from '../../../ui/field.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { ZONE } from '../local-time.ts'
import { texts } from '../texts.ts'
import { localStart, type Mode, type Plan, withMode } from './plan.ts'
import { timingTexts as T } from './texts.ts'
import { TimeZoneInput } from './time-zone-input.tsx'

const SPREADS = [15, 30, 60, 120, 180, 240, 360, 480, 720, 1_440]

interface TimingFieldsProps {
  plan: Plan
  /** Only the time of a scheduled campaign is changed. */
  onlyTime: boolean
  hasExperiment: boolean
  isMarketing: boolean
  error: PosthornError | null
  onChange(plan: Plan): void
}

export const TIMING_FIELDS = ['scheduledFor', 'localTime.date', 'localTime.time', 'localTime.fallback', 'spreadMinutes']

export function TimingFields({ plan, onlyTime, hasExperiment, isMarketing, error, onChange }: TimingFieldsProps) {
  const { mode, later } = plan
  const change = (changes: Partial<Plan>) => onChange({ ...plan, ...changes })
  return (
    <>
      {hasExperiment ? (
        <p className="text-sm text-soft">{T.withExperiment}</p>
      ) : (
        <Select
          label={T.mode}
          value={mode}
          options={T.modes}
          hint={T.hints[mode]}
          onChange={(event) => onChange(withMode(plan, event.target.value as Mode))}
        />
      )}
      {mode !== 'localTime' && !onlyTime && (
        <RadioCards
          legend={texts.send.when}
          name="when"
          value={later ? 'later' : 'now'}
          options={texts.send.times}
          columns="grid-cols-2"
          onChange={(value) => change({ later: value === 'later' })}
        />
      )}
      {mode !== 'localTime' && later && (
        <Input
          label={texts.send.dateTime}
          type="datetime-local"
          required
          hint={texts.send.timeZone(ZONE)}
          error={fieldError(error, 'scheduledFor')}
          value={plan.at}
          onChange={(event) => change({ at: event.target.value })}
        />
      )}
      {mode === 'localTime' && <LocalTime plan={plan} error={error} change={change} />}
      {(mode === 'localTime' || mode === 'spread') && (
        <Select
          label={T.spread}
          value={keyOf(plan.spreadMinutes ?? 0)}
          options={spreadOptions(plan)}
          error={fieldError(error, 'spreadMinutes')}
          onChange={(event) => change({ spreadMinutes: Number(event.target.value.slice(1)) || null })}
        />
      )}
      {isMarketing && <QuietHours />}
    </>
  )
}

interface LocalTimeProps {
  plan: Plan
  error: PosthornError | null
  change(changes: Partial<Plan>): void
}

function LocalTime({ plan: { localAt, fallback }, error, change }: LocalTimeProps) {
  const start = localAt === '' ? undefined : localStart(localAt, new Date())
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Input
          label={T.localAt}
          type="datetime-local"
          required
          value={localAt}
          error={
            fieldError(error, 'localTime.date') ??
            fieldError(error, 'localTime.time') ??
            fieldError(error, 'scheduledFor')
          }
          onChange={(event) => change({ localAt: event.target.value })}
        />
        <TimeZoneInput
          label={T.fallback}
          value={fallback}
          error={fieldError(error, 'localTime.fallback')}
          onChange={(zone) => change({ fallback: zone })}
        />
      </div>
      {localAt !== '' && (
        <p className="text-[0.8125rem] text-soft" aria-live="polite">
          {start ? (
            <RichText text={T.startsAt} elements={{ time: () => <Moment at={start.toISOString()} /> }} />
          ) : (
            T.startsNow
          )}
        </p>
      )}
    </>
  )
}

/** Not a number, because objects order such keys first. */
const keyOf = (minutes: number) => `m${minutes}`

function spreadOptions({ mode, spreadMinutes }: Plan): Record<string, string> {
  const minutes = spreadMinutes && !SPREADS.includes(spreadMinutes) ? [...SPREADS, spreadMinutes] : SPREADS
  const options = Object.fromEntries(minutes.map((one) => [keyOf(one), formatMinutes(one)]))
  return mode === 'spread' ? options : { [keyOf(0)]: T.noSpread, ...options }
}

function QuietHours() {
  const { quietHours } = useProject()
  if (!quietHours) return null
  return (
    <p className="text-[0.8125rem] text-soft">{T.quietHours(quietHours.from, quietHours.to, quietHours.timezone)}</p>
  )
}
