/** Email performance over time, top campaigns and top events. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { activityLabel } from '../../parts/event-labels.ts'
import { Select } from '../../parts/field.tsx'
import { Figure, Figures } from '../../parts/figures.tsx'
import { formatDay, formatNumber, formatShare } from '../../parts/format.ts'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, Row, Table } from '../../parts/table.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { type Day, totalsOf } from '../overview/totals.ts'
import { texts } from './texts.ts'

const Chart = lazy(() => import('../../parts/chart.tsx').then((module) => ({ default: module.Chart })))

const DAY_MS = 86_400_000

/** The start of a period of whole UTC days that ends today. */
const periodStart = (days: number) => new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10)

export function AnalyticsPage() {
  const { projectId, api } = useApi()
  const [{ days = '30' }, change] = useSearchState<'days'>()
  const from = periodStart(Number(days in texts.periods ? days : 30))
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'analytics', 'timeseries', from],
    queryFn: async () => (await unwrap(api.analytics.timeseries({ from }))).data,
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <div className="w-44">
          <Select
            label={texts.period}
            hideLabel
            value={days}
            options={texts.periods}
            onChange={(event) => change({ days: event.target.value })}
          />
        </div>
      }
    >
      <div className="space-y-6">
        {error && <Problem error={error} retry={() => void refetch()} />}
        {!data && !error && <Loading />}
        {data && <Series days={data} />}
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <TopCampaigns from={from} />
          <TopEvents from={from} />
        </div>
      </div>
    </Page>
  )
}

function Series({ days }: { days: Day[] }) {
  const totals = totalsOf(days)
  const delivered = totals.delivered || totals.sent
  const chart = useMemo(
    () => ({
      days: days.map(({ date }) => date),
      lines: [
        { label: texts.sent, color: '--accent', kind: 'bars' as const, values: days.map(({ sent }) => sent) },
        { label: texts.delivered, color: '--good', values: days.map(({ delivered }) => delivered) },
        { label: texts.opened, color: '--info', values: days.map(({ opened }) => opened) },
        { label: texts.clicked, color: '--soft', values: days.map(({ clicked }) => clicked) },
        { label: texts.bounced, color: '--bad', values: days.map(({ bounced }) => bounced) },
      ],
    }),
    [days],
  )
  return (
    <>
      <Figures>
        <Figure name={texts.sent} value={formatNumber(totals.sent)} />
        <Figure
          name={texts.delivered}
          value={formatShare(totals.delivered, totals.sent)}
          more={formatNumber(totals.delivered)}
        />
        <Figure name={texts.opened} value={formatShare(totals.opened, delivered)} more={formatNumber(totals.opened)} />
        <Figure
          name={texts.clicked}
          value={formatShare(totals.clicked, delivered)}
          more={formatNumber(totals.clicked)}
        />
        <Figure
          name={texts.bounced}
          value={formatShare(totals.bounced, totals.sent)}
          more={formatNumber(totals.bounced)}
        />
        <Figure
          name={texts.complained}
          value={formatShare(totals.complained, totals.sent)}
          more={formatNumber(totals.complained)}
        />
      </Figures>
      <Card title={texts.chart.title} lead={texts.chart.lead}>
        <Suspense fallback={<Loading />}>
          <Chart label={texts.chart.title} days={chart.days} lines={chart.lines} height={280} />
        </Suspense>
        <details className="mt-4 text-sm">
          <summary className="w-fit text-soft hover:text-ink">{texts.chart.showTable}</summary>
          <div className="mt-3 max-h-96 overflow-y-auto">
            <Table label={texts.chart.table} head={[texts.chart.day, ...chart.lines.map(({ label }) => label)]}>
              {[...days].reverse().map((day) => (
                <Row key={day.date}>
                  <Cell>{formatDay(day.date)}</Cell>
                  <Cell>{formatNumber(day.sent)}</Cell>
                  <Cell>{formatNumber(day.delivered)}</Cell>
                  <Cell>{formatNumber(day.opened)}</Cell>
                  <Cell>{formatNumber(day.clicked)}</Cell>
                  <Cell>{formatNumber(day.bounced)}</Cell>
                </Row>
              ))}
            </Table>
          </div>
        </details>
      </Card>
    </>
  )
}

function TopCampaigns({ from }: { from: string }) {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'analytics', 'top-campaigns', from],
    queryFn: async () => (await unwrap(api.analytics.topCampaigns({ from }))).data,
    placeholderData: keepPreviousData,
  })
  return (
    <Card title={texts.topCampaigns.title} flush={Boolean(data?.length)}>
      {data?.length === 0 && <p className="text-sm text-soft">{texts.topCampaigns.empty}</p>}
      {data && data.length > 0 && (
        <Table label={texts.topCampaigns.title} head={Object.values(texts.topCampaigns.column)}>
          {data.map((campaign) => (
            <Row key={campaign.id}>
              <Cell className="w-full">
                <Link to={inProjectPath(projectId, `campaigns/${campaign.id}`)} className="font-medium hover:underline">
                  {campaign.name}
                </Link>
              </Cell>
              <Cell>{formatNumber(campaign.sentCount)}</Cell>
              <Cell className="whitespace-nowrap">{formatShare(campaign.openRate, 1)}</Cell>
              <Cell className="whitespace-nowrap">{formatShare(campaign.clickRate, 1)}</Cell>
            </Row>
          ))}
        </Table>
      )}
    </Card>
  )
}

function TopEvents({ from }: { from: string }) {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'analytics', 'top-events', from],
    queryFn: async () => (await unwrap(api.analytics.topEvents({ from }))).data,
    placeholderData: keepPreviousData,
  })
  const most = Math.max(1, ...(data ?? []).map(({ count }) => count))
  return (
    <Card title={texts.topEvents.title}>
      {data?.length === 0 && <p className="text-sm text-soft">{texts.topEvents.empty}</p>}
      <ol className="space-y-3 text-sm">
        {data?.map(({ name, count }) => (
          <li key={name}>
            <p className="mb-1 flex justify-between gap-3">
              <span className="min-w-0 truncate font-medium">{activityLabel(name)}</span>
              <span className="figures text-soft">{formatNumber(count)}</span>
            </p>
            <div aria-hidden className="h-1.5 rounded-full bg-panel">
              <div className="h-full rounded-full bg-accent" style={{ width: `${(count / most) * 100}%` }} />
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}
