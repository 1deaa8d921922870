/** The totals of a period as rates and counts, with the change against the period before. */
import type { ReactNode } from 'react'
import { Change } from '../../figures/change.tsx'
import { Figures } from '../../figures/figures.tsx'
import { formatNumber, formatShare } from '../../figures/format.ts'
import { emailShares, ratio } from '../../figures/rates.ts'
import { changeOf, type Day, totalsOf } from '../../figures/totals.ts'
import { changeTexts, countTexts } from '../../shell/texts.ts'
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
  const sentChange = past && changeOf(now.sent, past.sent)
  return (
    <div>
      <Figures>
        <Total name={texts.sent} hint={countTexts.sent} value={formatNumber(now.sent)} count={undefined}>
          {sentChange !== undefined && <Change change={sentChange} />}
        </Total>
        {RATES.map(({ name, better }) => {
          const [part, whole] = shares[name]
          const rateBefore = pastShares?.[name][1] ? ratio(pastShares[name]) : undefined
          return (
            <Total
              key={name}
              name={texts[name]}
              hint={countTexts[name]}
              value={formatShare(part, whole)}
              count={whole > 0 ? part : undefined}
            >
              {whole > 0 && rateBefore !== undefined && (
                <Change isPoints change={ratio(shares[name]) - rateBefore} better={better} />
              )}
            </Total>
          )
        })}
      </Figures>
      {past && past.sent > 0 && <p className="mt-2 text-[0.8125rem] text-soft">{changeTexts.since(days.length)}</p>}
    </div>
  )
}

interface TotalProps {
  name: string
  hint: string
  value: string
  count: number | undefined
  /** The change. */
  children: ReactNode
}

const Total = ({ name, hint, value, count, children }: TotalProps) => (
  <div className="flex-1 basis-34 bg-card px-5 py-4" title={hint}>
    <dt className="text-sm text-soft">{name}</dt>
    <dd className="figures mt-1 text-2xl font-semibold tracking-tight">{value}</dd>
    {count !== undefined && <dd className="figures text-[0.8125rem] text-soft">{texts.emails(count)}</dd>}
    {children && <dd>{children}</dd>}
  </div>
)
