/** An import that asks contacts to confirm their subscription: the rate before it, and how far the emails are. */
import type { Schemas } from '../../data/api.ts'
import { formatNumber } from '../../figures/format.ts'
import { Progress } from '../../lists/progress.tsx'
import { Card } from '../../shell/page.tsx'
import { NumberInput } from '../../ui/field.tsx'
import { texts } from './texts.ts'

const T = texts.confirmations

export const PER_HOUR_MAX = 36_000

export const PER_HOUR_AT_FIRST = 500

export const isRate = (perHour: number): boolean => Number.isInteger(perHour) && perHour >= 1 && perHour <= PER_HOUR_MAX

export const ConfirmationRate = ({ perHour, onChange }: { perHour: number; onChange(perHour: number): void }) => (
  <Card title={T.title} lead={T.lead}>
    <p className="mb-4 text-sm text-soft">{T.note}</p>
    <div className="max-w-48">
      <NumberInput
        label={T.perHour}
        min={1}
        max={PER_HOUR_MAX}
        step={1}
        value={perHour || undefined}
        error={isRate(perHour) ? undefined : T.rateProblem(PER_HOUR_MAX)}
        onChange={(number) => onChange(number ?? 0)}
      />
    </div>
  </Card>
)

type Confirmations = NonNullable<Schemas['ImportJob']['confirmations']>

export function ConfirmationProgress({ confirmations }: { confirmations: Confirmations }) {
  const { perHour, total, sent, skipped, waiting } = confirmations
  return (
    <Card title={T.progress} lead={total === 0 ? T.nobody : T.rate(perHour)}>
      {total > 0 && (
        <>
          <Progress percent={((total - waiting) / total) * 100} label={waiting > 0 ? T.running : T.completed} />
          <dl className="mt-5 grid grid-cols-2 gap-4 sm:grid-cols-5">
            {[
              [T.asked, sent],
              [T.waiting, waiting],
              [T.skipped, skipped],
            ].map(([name, count]) => (
              <div key={name}>
                <dt className="text-sm text-soft">{name}</dt>
                <dd className="figures text-xl font-semibold">{formatNumber(count as number)}</dd>
              </div>
            ))}
          </dl>
          {waiting > 0 && <p className="mt-4 text-sm text-soft">{T.leave}</p>}
        </>
      )}
    </Card>
  )
}
