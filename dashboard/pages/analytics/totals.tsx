/** The totals of a period as rates and counts, with the change against the period before. */
import { ArrowDown, ArrowUp } from 'lucide-react'
import { Figures } from '../../parts/figures.tsx'
import { formatNumber, formatPercent, formatShare } from '../../parts/format.ts'
import { emailShares, ratio } from '../../parts/rates.ts'
import { type Day, totalsOf } from '../../parts/totals.ts'
import { changeOf } from './period.ts'
import { texts } from './texts.ts'

/** More bounces and complaints are worse. */
const RATES = [
  { name: 'delivered', better: 'more' },
  { name: 'opened', better: 'more' },
  { name: 'clicked', better: 'more' },
  { name: 'bounced', better: 'fewer' },
  { name: 'complained', better: 'fewer' },
] as const

export function Totals({ days, before }: { days: Day[]; before: Day[] | undefined }) {
  const now = totalsOf(days)
  const past = before && totalsOf(before)
  const shares = emailShares(now)
  const pastShares = past && emailShares(past)
  return (
    <Figures>
      <Total name={texts.sent} value={formatNumber(now.sent)} change={past && changeOf(now.sent, past.sent)} />
      {RATES.map(({ name, better }) => {
        const [part, whole] = shares[name]
        const change = pastShares?.[name][1] ? ratio(shares[name]) - ratio(pastShares[name]) : undefined
        return (
          <Total
            key={name}
            name={texts[name]}
            value={formatShare(part, whole)}
            count={formatNumber(part)}
            change={whole > 0 ? change : undefined}
            isPoints
            isGood={(change ?? 0) > 0 === (better === 'more')}
          />
        )
      })}
    </Figures>
  )
}

interface TotalProps {
  name: string
  value: string
  count?: string
  /** As a ratio, or the difference of two rates. */
  change: number | undefined
  isPoints?: boolean
  /** Whether a change in this direction is welcome. Neither, if absent. */
  isGood?: boolean
}

function Total({ name, value, count, change, isPoints, isGood }: TotalProps) {
  return (
    <div className="flex-1 basis-34 bg-card px-5 py-4">
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="figures mt-1 text-2xl font-semibold tracking-tight">{value}</dd>
      <dd className="figures flex flex-wrap items-center gap-x-2 text-[0.8125rem] text-soft">
        {count && <span>{count}</span>}
        {change !== undefined && <Change change={change} isPoints={isPoints} isGood={isGood} />}
      </dd>
    </div>
  )
}

const SMALLEST_SHOWN = 0.0005

function Change({ change, isPoints, isGood }: Pick<TotalProps, 'isPoints' | 'isGood'> & { change: number }) {
  if (Math.abs(change) < SMALLEST_SHOWN) return <span title={texts.change.title}>{texts.change.none}</span>
  const Arrow = change > 0 ? ArrowUp : ArrowDown
  const size = isPoints ? texts.change.points(Math.abs(change) * 100) : formatPercent(Math.abs(change))
  const tone = isGood === undefined ? '' : isGood ? 'text-good' : 'text-bad'
  return (
    <span className={`flex items-center gap-0.5 whitespace-nowrap ${tone}`} title={texts.change.title}>
      <Arrow className="size-3.5" aria-hidden />
      <span className="sr-only">{change > 0 ? texts.change.up : texts.change.down}</span> {size}
    </span>
  )
}
