/** The warm-up of a domain: its progress, and the form with the plan for the coming days. */
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Schemas } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { formatNumber, formatShortDay } from '../../figures/format.ts'
import { Problem } from '../../lists/problem.tsx'
import { Progress } from '../../lists/progress.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, SubmitActions } from '../../ui/dialog.tsx'
import { fieldError, Input, NumberInput } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { texts } from './texts.ts'
import { dayOf, planOf } from './warm-up-plan.ts'

type Domain = Schemas['Domain']

const T = texts.warmUp
const PLAN_DAYS = 14
/** In the card, the days after today. */
const COMING_DAYS = 7
const FIRST_PLAN = { perDay: 50, growth: 1.5 }

/** Today's number and those of the coming days. */
export function WarmUpProgress({ domain, onChange }: { domain: Domain; onChange: (() => void) | undefined }) {
  const { warmUp } = domain
  if (!warmUp) return null
  const { sentToday, limitToday } = warmUp
  const days = planOf(warmUp, dayOf(new Date()), COMING_DAYS + 1).slice(limitToday === null ? 0 : 1)
  return (
    <section aria-label={T.label(domain.domain)} className="space-y-3 border-t border-line px-5 py-4 text-sm">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-60 flex-1">
          {limitToday === null ? (
            T.startsOn(formatShortDay(new Date(warmUp.startedOn)))
          ) : (
            <Progress
              percent={Math.min(100, (sentToday / limitToday) * 100)}
              label={T.progress(sentToday, limitToday)}
            />
          )}
        </div>
        {onChange && <Button onClick={onChange}>{T.change}</Button>}
      </div>
      <p className="text-soft">{sentToday >= (limitToday ?? Infinity) ? T.full : T.lead}</p>
      <PlanDays days={days} />
    </section>
  )
}

const PlanDays = ({ days }: { days: Array<{ day: string; limit: number }> }) => (
  <ol aria-label={T.plan} className="figures flex flex-wrap gap-2">
    {days.map(({ day, limit }) => (
      <li key={day} className="rounded-part border border-line px-2.5 py-1.5 text-center">
        <span className="block text-xs text-soft">{formatShortDay(new Date(day))}</span>
        {formatNumber(limit)}
      </li>
    ))}
  </ol>
)

export function WarmUpDialog({ domain, open, onClose }: { domain: Domain; open: boolean; onClose(): void }) {
  return (
    <Dialog open={open} onClose={onClose} title={T.title(domain.domain)} lead={T.explanation}>
      <WarmUpForm domain={domain} onClose={onClose} />
    </Dialog>
  )
}

function WarmUpForm({ domain, onClose }: { domain: Domain; onClose(): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const today = dayOf(new Date())
  const [startedOn, setStartedOn] = useState(domain.warmUp?.startedOn ?? today)
  const [perDay, setPerDay] = useState<number | undefined>(domain.warmUp?.perDay ?? FIRST_PLAN.perDay)
  const [growth, setGrowth] = useState<number | undefined>(domain.warmUp?.growth ?? FIRST_PLAN.growth)
  const save = async (warmUp: { startedOn: string; perDay: number; growth: number } | null) => {
    if (!(await run(api.domains.update(domain.id, { warmUp })))) return
    toast.done(warmUp ? T.saved : T.ended)
    onClose()
    void queries.invalidateQueries({ queryKey: [projectId, 'domains'] })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save({ startedOn, perDay: perDay ?? 0, growth: growth ?? 0 })
  }
  const errorOf = (field: string) => fieldError(error, `warmUp.${field}`)
  const days = planOf({ startedOn, perDay, growth }, today, PLAN_DAYS)
  return (
    <form onSubmit={submit} className="space-y-4">
      <div className="grid gap-4 sm:grid-cols-3">
        <Input
          label={T.startedOn}
          type="date"
          required
          value={startedOn}
          error={errorOf('startedOn')}
          onChange={(event) => setStartedOn(event.target.value)}
        />
        <NumberInput
          label={T.perDay}
          required
          min={1}
          max={1_000_000}
          step={1}
          value={perDay}
          error={errorOf('perDay')}
          onChange={setPerDay}
        />
        <NumberInput
          label={T.growth}
          required
          min={1}
          max={3}
          step="any"
          value={growth}
          error={errorOf('growth')}
          onChange={setGrowth}
        />
      </div>
      {days.length > 0 && (
        <div className="space-y-2 text-sm">
          <p className="font-medium">{T.plan}</p>
          <PlanDays days={days} />
          <p className="text-soft">{T.utc}</p>
        </div>
      )}
      {problem && <Problem error={problem} shown={['warmUp.startedOn', 'warmUp.perDay', 'warmUp.growth']} />}
      {domain.warmUp && (
        <p className="text-sm">
          <Button kind="remove" onClick={() => void save(null)}>
            {T.end}
          </Button>
        </p>
      )}
      <SubmitActions busy={busy} onCancel={onClose}>
        {T.save}
      </SubmitActions>
    </form>
  )
}
