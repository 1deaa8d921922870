/** Email performance in a period: totals against the period before, days, breakdowns and top events. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartLine, Download } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { projectPage } from '../../addresses.ts'
import { isSystemEvent } from '../../conditions/event-labels.ts'
import { unwrap } from '../../data/api.ts'
import { concernsEmails, useLiveQueries } from '../../data/live.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { formatDay, formatNumber, formatShare } from '../../figures/format.ts'
import { emailShares, ratio } from '../../figures/rates.ts'
import { type Day, finishedDays } from '../../figures/totals.ts'
import { toCsv } from '../../lists/csv.ts'
import { Empty } from '../../lists/empty-state.tsx'
import { Problem } from '../../lists/problem.tsx'
import { saveFile } from '../../lists/save-file.ts'
import { Cell, NumberCell, Row, Table } from '../../lists/table.tsx'
import { Card, Loading, Page } from '../../shell/page.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Checkbox, Select } from '../../ui/field.tsx'
import { Breakdown } from './breakdown.tsx'
import { type Period, periodOf } from './period.ts'
import { texts } from './texts.ts'
import { Totals } from './totals.tsx'

const Chart = lazy(() => import('../../figures/chart.tsx').then((module) => ({ default: module.Chart })))

const DEFAULT_DAYS = 30

function useDays({ from, to }: Period['current']) {
  const { projectId, api } = useApi()
  return useQuery({
    queryKey: [projectId, 'analytics', 'timeseries', from, to],
    queryFn: async () => (await unwrap(api.analytics.timeseries({ from, to }))).data,
    placeholderData: keepPreviousData,
  })
}

export function AnalyticsPage() {
  const { projectId } = useApi()
  const [{ days = String(DEFAULT_DAYS) }, change] = useSearchState<'days'>()
  const period = periodOf(Number(days in texts.periods ? days : DEFAULT_DAYS), new Date())
  const { data, error, refetch } = useDays(period.current)
  const { data: before } = useDays(period.previous)
  useLiveQueries([[projectId, 'analytics', 'timeseries']], concernsEmails)
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
        {data && (
          <>
            <Totals days={data} before={before} />
            {hasEmails(data) ? (
              <Series days={data} before={before} />
            ) : (
              <Card flush title={texts.chart.title}>
                <Empty
                  icon={ChartLine}
                  title={texts.chart.emptyTitle}
                  actions={
                    <LinkButton kind="primary" to={projectPage(projectId, 'campaigns')}>
                      {texts.chart.toCampaigns}
                    </LinkButton>
                  }
                >
                  {texts.chart.empty}
                </Empty>
              </Card>
            )}
          </>
        )}
        <Breakdown period={period.current} />
        <TopEvents period={period.current} />
      </div>
    </Page>
  )
}

const COUNTS = [
  ['sent', '--accent'],
  ['delivered', '--good'],
  ['opened', '--info'],
  ['clicked', '--soft'],
  ['bounced', '--bad'],
  ['complained', '--warn'],
] as const

const hasEmails = (days: Day[]) => days.some((day) => COUNTS.some(([name]) => day[name] > 0))

/** Bounces and complaints are so few that they need a chart of their own. */
const RATES = COUNTS.filter(([name]) => ['delivered', 'opened', 'clicked'].includes(name)) as [Rate, string][]
const PROBLEM_RATES = COUNTS.filter(([name]) => ['bounced', 'complained'].includes(name)) as [Rate, string][]
type Rate = Exclude<(typeof COUNTS)[number][0], 'sent'>

const formatRate = (value: number) => formatShare(value, 1)

function Series({ days, before }: { days: Day[]; before: Day[] | undefined }) {
  const [{ show = 'counts', compare = '' }, change] = useSearchState<'show' | 'compare'>()
  const asRates = show === 'rates'
  const chart = useMemo(() => {
    const past = compare && before?.length === days.length ? before : undefined
    const finished = finishedDays(days, new Date())
    const rateOf = (name: Rate) => (day: Day) => ratio(emailShares(day)[name])
    const rates = (of: [Rate, string][]) =>
      of.map(([name, color]) => ({ label: texts[name], color, values: finished.map(rateOf(name)) }))
    if (asRates) {
      const values = past?.slice(0, finished.length).map(rateOf('opened'))
      return {
        days: finished.map(({ date }) => date),
        lines: [
          ...rates(RATES),
          ...(values ? [{ label: texts.chart.openedBefore, color: '--info', isPast: true, values }] : []),
        ],
        problems: rates(PROBLEM_RATES),
      }
    }
    const values = past?.map((day) => day.sent)
    return {
      days: days.map(({ date }) => date),
      lines: [
        ...COUNTS.filter(([name]) => name !== 'complained').map(([name, color]) => ({
          label: texts[name],
          color,
          values: days.map((day) => day[name]),
          ...(name === 'sent' ? { kind: 'bars' as const } : {}),
        })),
        ...(values ? [{ label: texts.chart.sentBefore, color: '--accent', isPast: true, values }] : []),
      ],
    }
  }, [days, before, compare, asRates])
  const exportDays = () => {
    const head = [texts.chart.day, ...COUNTS.map(([name]) => texts[name])]
    const rows = days.map((day) => [day.date, ...COUNTS.map(([name]) => day[name])])
    saveFile(texts.chart.file(days), new Blob([toCsv([head, ...rows])], { type: 'text/csv' }))
  }
  return (
    <Card
      title={asRates ? texts.chart.titleRates : texts.chart.title}
      actions={
        <div className="flex flex-wrap items-center gap-3">
          <Checkbox
            label={asRates ? texts.chart.compareOpened : texts.chart.compareSent}
            checked={compare !== ''}
            onChange={(event) => change({ compare: event.target.checked ? '1' : undefined }, { replace: true })}
          />
          <div className="w-32">
            <Select
              label={texts.chart.show}
              hideLabel
              value={show}
              options={texts.chart.shows}
              onChange={({ target: { value } }) =>
                change({ show: value === 'counts' ? undefined : value }, { replace: true })
              }
            />
          </div>
          <Button onClick={exportDays}>
            <Download aria-hidden /> {texts.exportCsv}
          </Button>
        </div>
      }
    >
      <Suspense fallback={<Loading />}>
        <Chart
          label={asRates ? texts.chart.titleRates : texts.chart.title}
          days={chart.days}
          lines={chart.lines}
          height={280}
          {...(asRates ? { format: formatRate, topMin: 0.1 } : {})}
        />
        {chart.problems && (
          <div className="mt-5 border-t border-line pt-4">
            <h3 className="mb-2 text-sm font-medium">{texts.chart.problems}</h3>
            <Chart
              label={texts.chart.problems}
              days={chart.days}
              lines={chart.problems}
              height={150}
              format={formatRate}
              topMin={0.01}
            />
          </div>
        )}
      </Suspense>
      <p className="mt-4 text-[0.8125rem] text-soft">{asRates ? texts.chart.leadRates : texts.chart.lead}</p>
      <details className="mt-2 text-sm">
        <summary className="w-fit text-soft hover:text-ink">{texts.chart.showTable}</summary>
        <div className="mt-3 max-h-96 overflow-y-auto">
          <Table
            label={texts.chart.table}
            head={[texts.chart.day, ...COUNTS.map(([name]) => ({ number: texts[name] }))]}
          >
            {days.toReversed().map((day) => (
              <Row key={day.date}>
                <Cell className="whitespace-nowrap">{formatDay(day.date)}</Cell>
                {COUNTS.map(([name]) => (
                  <NumberCell key={name}>{formatNumber(day[name])}</NumberCell>
                ))}
              </Row>
            ))}
          </Table>
        </div>
      </details>
    </Card>
  )
}

const SHOWN_EVENTS = 10
/** The maximum that one request can ask for. */
const REQUESTED_EVENTS = 100

function TopEvents({ period }: { period: Period['current'] }) {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'analytics', 'top-events', period],
    queryFn: async () => (await unwrap(api.analytics.topEvents({ ...period, limit: REQUESTED_EVENTS }))).data,
    placeholderData: keepPreviousData,
  })
  // The numbers above already include what happened to emails.
  const events = data?.filter(({ name }) => !isSystemEvent(name)).slice(0, SHOWN_EVENTS)
  const most = Math.max(1, ...(events ?? []).map(({ count }) => count))
  return (
    <Card title={texts.topEvents.title}>
      {events?.length === 0 && <p className="text-sm text-soft">{texts.topEvents.empty}</p>}
      <ol className="grid gap-x-10 gap-y-3 text-sm sm:grid-cols-2">
        {events?.map(({ name, count }) => (
          <li key={name}>
            <p className="mb-1 flex justify-between gap-3">
              <span className="min-w-0 truncate font-medium">{name}</span>
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
