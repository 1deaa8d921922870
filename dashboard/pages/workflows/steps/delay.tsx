/** DELAY: continues after a fixed time, at a date of the contact, or at a time of a weekday or of any day. */
import { Clock } from 'lucide-react'
import { TIME_UNITS } from '../../../conditions/condition.ts'
import { conditionTexts } from '../../../conditions/texts.ts'
import { formatDateTime, formatUnit } from '../../../figures/format.ts'
import { fieldError, Input, Select } from '../../../ui/field.tsx'
import { asText, configSetter } from './fields.tsx'
import { dayOptions, ZoneSelect } from './schedule.tsx'
import type { Config, StepDefinition, StepFormProps } from './step.ts'
import { stepTexts } from './texts.ts'

const T = stepTexts.delay

type Kind = keyof typeof T.kinds

const untilOf = ({ until }: Config): Config | undefined => (until ? (until as Config) : undefined)

function kindOf(config: Config): Kind {
  const until = untilOf(config)
  if (!until) return 'duration'
  return 'time' in until || 'weekday' in until ? 'weekday' : 'date'
}

const DEFAULTS: Record<Kind, Config> = {
  duration: { amount: 1, unit: 'days' },
  date: { until: { field: 'data.' } },
  weekday: { until: { weekday: 1, time: '09:00', timezone: 'contact' } },
}

function DelayForm(props: StepFormProps) {
  const { config } = props.draft
  const kind = kindOf(config)
  return (
    <>
      <Select
        label={T.kind}
        value={kind}
        options={T.kinds}
        onChange={(event) => props.set({ config: DEFAULTS[event.target.value as Kind] })}
      />
      {kind === 'duration' && <DurationFields {...props} />}
      {kind === 'date' && <DateField {...props} />}
      {kind === 'weekday' && <WeekdayFields {...props} />}
    </>
  )
}

function DurationFields(props: StepFormProps) {
  const { config } = props.draft
  const setConfig = configSetter(props)
  return (
    <div className="grid grid-cols-2 gap-3">
      <Input
        label={T.duration}
        type="number"
        step="any"
        min={0}
        value={asText(config.amount)}
        error={fieldError(props.error, 'config.amount')}
        onChange={({ target }) => setConfig({ amount: target.value === '' ? undefined : Number(target.value) })}
      />
      <Select
        label={T.unit}
        value={asText(config.unit)}
        options={conditionTexts.units}
        onChange={(event) => setConfig({ unit: event.target.value })}
      />
    </div>
  )
}

const DateField = (props: StepFormProps) => (
  <Input
    label={T.field}
    hint={T.fieldHint}
    spellCheck={false}
    value={asText(untilOf(props.draft.config)?.field)}
    error={fieldError(props.error, 'config.until.field')}
    onChange={(event) => configSetter(props)({ until: { field: event.target.value.trim() } })}
  />
)

function WeekdayFields(props: StepFormProps) {
  const until = untilOf(props.draft.config) ?? {}
  const setUntil = (changes: Config) => configSetter(props)({ until: { ...until, ...changes } })
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <Select
          label={T.weekday}
          value={asText(until.weekday)}
          options={{ '': T.anyDay, ...dayOptions() }}
          error={fieldError(props.error, 'config.until.weekday')}
          onChange={(event) => setUntil({ weekday: event.target.value === '' ? null : Number(event.target.value) })}
        />
        <Input
          label={T.time}
          type="time"
          value={asText(until.time)}
          error={fieldError(props.error, 'config.until.time')}
          onChange={(event) => setUntil({ time: event.target.value })}
        />
      </div>
      <ZoneSelect
        value={until.timezone}
        error={fieldError(props.error, 'config.until.timezone')}
        onChange={(timezone) => setUntil({ timezone })}
      />
    </>
  )
}

function summary(config: Config): string {
  const { amount, unit } = config
  const until = untilOf(config)
  if (until) {
    if (kindOf(config) === 'date') return T.untilDate(asText(until.field).replace(/^data\./, ''))
    const day = dayOptions()[asText(until.weekday)]
    return day ? T.untilWeekday(day, asText(until.time)) : T.untilTime(asText(until.time))
  }
  return amount === undefined
    ? ''
    : formatUnit(Number(amount), TIME_UNITS[String(unit) as keyof typeof TIME_UNITS] ?? 'day')
}

export const delay: StepDefinition = {
  title: T.title,
  icon: Clock,
  defaultConfig: DEFAULTS.duration,
  summary,
  describeOutput: ({ until, goal, skipped }) =>
    skipped
      ? T.skipped
      : until === null && !goal
        ? T.noWait
        : until
          ? T.waitedUntil(formatDateTime(new Date(String(until))))
          : '',
  branches: [null],
  Form: DelayForm,
}
