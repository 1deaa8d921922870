/** How mail fares over time: the chart with its numbers, the campaigns that did best, the events that happen most. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Select } from '../../parts/field.tsx'
import { Figure, Figures } from '../../parts/figures.tsx'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, Row, Table } from '../../parts/table.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { type Day, percentOf, totalsOf } from '../overview/totals.ts'

const Chart = lazy(() => import('../../parts/chart.tsx').then((module) => ({ default: module.Chart })))

const SPANS = { 7: 'Last 7 days', 30: 'Last 30 days', 90: 'Last 90 days', 365: 'Last year' }
const DAY_MS = 86_400_000

/** Whole days, UTC, today among them. */
const since = (days: number) => new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10)

export function AnalyticsPage() {
  const { projectId, api } = useApi()
  const [{ days = '30' }, change] = useSearchState<'days'>()
  const from = since(Number(days in SPANS ? days : 30))
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'analytics', 'timeseries', from],
    queryFn: async () => (await unwrap(api.analytics.timeseries({ from }))).data,
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title="Analytics"
      lead="How your mail fares."
      actions={
        <div className="w-44">
          <Select
            label="Span"
            hideLabel
            value={days}
            options={SPANS}
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
        { label: 'Sent', colour: '--accent', values: days.map(({ sent }) => sent) },
        { label: 'Delivered', colour: '--good', values: days.map(({ delivered }) => delivered) },
        { label: 'Opened', colour: '--info', values: days.map(({ opened }) => opened) },
        { label: 'Clicked', colour: '--soft', values: days.map(({ clicked }) => clicked) },
        { label: 'Bounced', colour: '--bad', values: days.map(({ bounced }) => bounced) },
      ],
    }),
    [days],
  )
  return (
    <>
      <Figures>
        <Figure name="Sent" value={totals.sent.toLocaleString()} />
        <Figure
          name="Delivered"
          value={percentOf(totals.delivered, totals.sent)}
          more={totals.delivered.toLocaleString()}
        />
        <Figure name="Opened" value={percentOf(totals.opened, delivered)} more={totals.opened.toLocaleString()} />
        <Figure name="Clicked" value={percentOf(totals.clicked, delivered)} more={totals.clicked.toLocaleString()} />
        <Figure name="Bounced" value={percentOf(totals.bounced, totals.sent)} more={totals.bounced.toLocaleString()} />
        <Figure
          name="Complained"
          value={percentOf(totals.complained, totals.sent)}
          more={totals.complained.toLocaleString()}
        />
      </Figures>
      <Card title="Emails by day" lead="By the day it happened, UTC.">
        <Suspense fallback={<Loading />}>
          <Chart label="Emails by day" days={chart.days} lines={chart.lines} height={280} />
        </Suspense>
        <details className="mt-4 text-sm">
          <summary className="w-fit text-soft hover:text-ink">The numbers</summary>
          <div className="mt-3 max-h-96 overflow-y-auto">
            <Table label="Emails by day, in numbers" head={['Day', ...chart.lines.map(({ label }) => label)]}>
              {[...days].reverse().map((day) => (
                <Row key={day.date}>
                  <Cell>{day.date}</Cell>
                  <Cell>{day.sent}</Cell>
                  <Cell>{day.delivered}</Cell>
                  <Cell>{day.opened}</Cell>
                  <Cell>{day.clicked}</Cell>
                  <Cell>{day.bounced}</Cell>
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
    <Card title="Top campaigns" flush={Boolean(data?.length)}>
      {data?.length === 0 && <p className="text-sm text-soft">No campaign went out in this time.</p>}
      {data && data.length > 0 && (
        <Table label="Top campaigns" head={['Name', 'Sent', 'Opened', 'Clicked']}>
          {data.map((campaign) => (
            <Row key={campaign.id}>
              <Cell className="w-full">
                <Link to={inProjectPath(projectId, `campaigns/${campaign.id}`)} className="font-medium hover:underline">
                  {campaign.name}
                </Link>
              </Cell>
              <Cell>{campaign.sentCount.toLocaleString()}</Cell>
              <Cell className="whitespace-nowrap">{percentOf(campaign.openRate, 1)}</Cell>
              <Cell className="whitespace-nowrap">{percentOf(campaign.clickRate, 1)}</Cell>
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
    <Card title="Top events">
      {data?.length === 0 && <p className="text-sm text-soft">No event happened in this time.</p>}
      <ol className="space-y-3 text-sm">
        {data?.map(({ name, count }) => (
          <li key={name}>
            <p className="mb-1 flex justify-between gap-3">
              <span className="min-w-0 truncate font-medium">{name}</span>
              <span className="figures text-soft">{count.toLocaleString()}</span>
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
