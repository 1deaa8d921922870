/** The numbers of the last 30 days as links, each with its change against the 30 days before, and a chart. */
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { type Address, projectPage } from '../../addresses.ts'
import { unwrap } from '../../data/api.ts'
import { concernsEmails, useLiveQueries } from '../../data/live.ts'
import { useApi } from '../../data/project.ts'
import { Change } from '../../figures/change.tsx'
import { formatNumber, formatPercent, formatShare } from '../../figures/format.ts'
import { emailShares, ratio } from '../../figures/rates.ts'
import { changeOf, type Day, finishedDays, totalsOf } from '../../figures/totals.ts'
import { Link } from '../../links.tsx'
import { Card, Loading } from '../../shell/page.tsx'
import { changeTexts, countTexts } from '../../shell/texts.ts'
import { Select } from '../../ui/field.tsx'
import { texts } from './texts.ts'

const Chart = lazy(() => import('../../figures/chart.tsx').then((module) => ({ default: module.Chart })))

const DAYS = 30
const DAY_MS = 86_400_000

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

export function EmailStats() {
  const { projectId, api } = useApi()
  const { data: contacts } = useQuery({
    queryKey: [projectId, 'contacts', 'count'],
    queryFn: async () => (await unwrap(api.contacts.list({ limit: 1 }))).total,
  })
  const { data: series } = useQuery({
    queryKey: [projectId, 'analytics', 'timeseries', 'overview'],
    queryFn: async () => (await unwrap(api.analytics.timeseries({ from: daysAgo(2 * DAYS - 1) }))).data,
  })
  useLiveQueries([[projectId, 'analytics', 'timeseries', 'overview']], concernsEmails)
  // Whatever happens can be the first of a new contact.
  useLiveQueries([[projectId, 'contacts', 'count']], () => true)
  const days = useMemo(() => series?.slice(-DAYS), [series])
  const now = days && totalsOf(days)
  const before = series && totalsOf(series.slice(0, -DAYS))
  const analytics = projectPage(projectId, 'analytics')
  const shares = now && emailShares(now)
  const sharesBefore = before && emailShares(before)
  const sentChange = now && before && changeOf(now.sent, before.sent)
  /** Undefined if there is nothing to compare with. */
  const rateChange = (name: 'opened' | 'bounced', better: 'more' | 'fewer') =>
    shares && sharesBefore?.[name][1] ? (
      <Change isPoints change={ratio(shares[name]) - ratio(sharesBefore[name])} better={better} />
    ) : null
  return (
    <>
      <div>
        <div className="flex flex-wrap gap-px overflow-hidden rounded-card border border-line bg-line shadow-lift">
          <Figure name={texts.contacts} to={projectPage(projectId, 'contacts')}>
            {contacts === undefined ? undefined : formatNumber(contacts)}
          </Figure>
          <Figure
            name={texts.sent}
            hint={countTexts.sent}
            to={analytics}
            change={sentChange !== undefined && <Change change={sentChange} />}
          >
            {now && formatNumber(now.sent)}
          </Figure>
          <Figure name={texts.openRate} hint={countTexts.opened} to={analytics} change={rateChange('opened', 'more')}>
            {shares && formatShare(...shares.opened)}
          </Figure>
          <Figure
            name={texts.bounceRate}
            hint={countTexts.bounced}
            to={projectPage(projectId, 'emails', { status: 'BOUNCED' })}
            change={rateChange('bounced', 'fewer')}
          >
            {shares && formatShare(...shares.bounced)}
          </Figure>
        </div>
        {before && before.sent > 0 && <p className="mt-2 text-[0.8125rem] text-soft">{changeTexts.since(DAYS)}</p>}
      </div>
      {days && now && now.sent > 0 && <EmailChart days={days} />}
    </>
  )
}

interface FigureProps {
  name: string
  hint?: string
  to: Address
  children: string | undefined
  change?: ReactNode
}

function Figure({ name, hint, to, children, change }: FigureProps) {
  return (
    <Link
      to={to}
      title={hint}
      className="flex-1 basis-40 bg-card px-5 py-4 hover:bg-panel focus-visible:-outline-offset-2"
    >
      <span className="block text-sm text-soft">{name}</span>
      <span className="figures mt-1 block text-2xl font-semibold tracking-tight">{children ?? '…'}</span>
      {change}
    </Link>
  )
}

type View = keyof typeof texts.chart.views

/** One big day hides the others in absolute numbers, so the chart also shows rates. */
function EmailChart({ days }: { days: Day[] }) {
  const [view, setView] = useState<View>('counts')
  const rates = view === 'rates'
  const chart = useMemo(() => {
    const shown = rates ? finishedDays(days, new Date()) : days
    const line = (label: string, color: string, name: 'delivered' | 'opened' | 'clicked' | 'bounced') => ({
      label,
      color,
      values: shown.map((day) => (rates ? ratio(emailShares(day)[name]) : day[name])),
    })
    const sent = {
      label: texts.chart.sent,
      color: '--accent',
      kind: 'bars' as const,
      values: days.map((day) => day.sent),
    }
    return {
      days: shown.map((day) => day.date),
      lines: [
        ...(rates ? [] : [sent]),
        line(texts.chart.delivered, '--good', 'delivered'),
        line(texts.chart.opened, '--info', 'opened'),
        line(texts.chart.clicked, '--soft', 'clicked'),
        line(texts.chart.bounced, '--bad', 'bounced'),
      ],
      ...(rates ? { format: (share: number) => formatPercent(share), topMin: 0.1 } : {}),
    }
  }, [days, rates])
  return (
    <Card
      title={texts.chart.title}
      lead={rates ? texts.chart.leadRates : texts.chart.lead}
      actions={
        <div className="w-36">
          <Select
            label={texts.chart.view}
            hideLabel
            value={view}
            options={texts.chart.views}
            onChange={(event) => setView(event.target.value as View)}
          />
        </div>
      }
    >
      <Suspense fallback={<Loading />}>
        <Chart label={texts.chart.label} {...chart} />
      </Suspense>
    </Card>
  )
}
