/** Opens and clicks over time, the most clicked links, bounces by domain and reason, and earlier campaigns. */
import { useQuery } from '@tanstack/react-query'
import { type Schemas, unwrap } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import {
  formatDateTime,
  formatDay,
  formatHour,
  formatNumber,
  formatShare,
  formatShortDay,
} from '../../../figures/format.ts'
import { countsOfCampaign, reachedOf } from '../../../figures/rates.ts'
import { Cell, NumberCell, Row, Table } from '../../../lists/table.tsx'
import { Card } from '../../../shell/page.tsx'
import { texts } from '../texts.ts'
import { Comparison } from './comparison.tsx'

type Campaign = Schemas['Campaign']
type ReportData = Schemas['CampaignReport']

const T = texts.report

export function useReport({ id, sentAt }: Campaign) {
  const { projectId, api } = useApi()
  return useQuery({
    queryKey: [projectId, 'campaigns', id, 'report'],
    enabled: sentAt !== null,
    queryFn: () => unwrap(api.campaigns.report(id)),
  })
}

export function Report({ campaign }: { campaign: Campaign }) {
  const { data } = useReport(campaign)
  if (!data) return null
  const reached = reachedOf(countsOfCampaign(campaign))
  return (
    <>
      {data.engagement.length > 0 && <Engagement report={data} since={campaign.sentAt!} />}
      <div
        className={`grid gap-6 empty:hidden ${data.links.length > 0 && data.bounces.length > 0 ? 'lg:grid-cols-2' : ''}`}
      >
        {data.links.length > 0 && (
          <Card title={T.links} lead={T.linksLead} flush>
            <Table label={T.links} head={[T.link, { number: T.clicks }]}>
              {data.links.slice(0, 10).map(({ url, clicks }) => (
                <Row key={url}>
                  <Cell className="w-full max-w-0 truncate">
                    <a href={url} target="_blank" rel="noreferrer" title={url} className="hover:underline">
                      {url.replace(/^https?:\/\//, '')}
                    </a>
                  </Cell>
                  <NumberCell>
                    {formatNumber(clicks)} <span className="text-soft">{formatShare(clicks, reached)}</span>
                  </NumberCell>
                </Row>
              ))}
            </Table>
          </Card>
        )}
        {data.bounces.length > 0 && (
          <Card title={T.bounces} lead={T.bouncesLead} flush>
            <Table label={T.bounces} head={[T.domain, { number: T.count }]}>
              {data.bounces.slice(0, 10).map(({ domain, reason, count }) => (
                <Row key={`${domain} ${reason}`}>
                  <Cell className="w-full">
                    <span className="font-medium">{domain}</span>
                    <p className="line-clamp-2 text-soft wrap-anywhere">{reason || T.noReason}</p>
                  </Cell>
                  <NumberCell>{formatNumber(count)}</NumberCell>
                </Row>
              ))}
            </Table>
          </Card>
        )}
      </div>
      <Comparison campaign={campaign} />
    </>
  )
}

/** A pair of bars for each interval. Screen readers get a table. */
function Engagement({ report: { unit, engagement }, since }: { report: ReportData; since: string }) {
  const buckets = withEmptyIntervals(engagement, unit, since, Date.now())
  if (buckets.length < INTERVALS_SHOWN) return null
  const top = axisTop(Math.max(...buckets.flatMap(({ opened, clicked }) => [opened, clicked])))
  const label = (at: string) => (unit === 'hour' ? formatDateTime(new Date(at)) : formatDay(at.slice(0, 10)))
  const tick = (at: string) => (unit === 'hour' ? formatHour(new Date(at)) : formatShortDay(new Date(at)))
  const step = Math.ceil(buckets.length / TICKS)
  const height = (count: number) => ({ height: `${(count / top) * 100}%` })
  return (
    <Card title={unit === 'hour' ? T.byHour : T.byDay} lead={T.engagementLead(formatDateTime(new Date(since)))}>
      <ul aria-hidden className="mb-4 flex gap-4 text-[0.8125rem] text-soft">
        <li className="flex items-center gap-1.5">
          <span className="size-2.5 rounded-sm bg-info" /> {T.opened}
        </li>
        <li className="flex items-center gap-1.5">
          <span className="size-2.5 rounded-sm bg-accent" /> {T.clicked}
        </li>
      </ul>
      <div aria-hidden className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-xs text-soft">
        <div className="figures flex flex-col justify-between text-end *:-my-2 *:leading-4">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{formatNumber(value)}</span>
          ))}
        </div>
        <div className="relative flex h-36 items-end gap-px border-y border-line">
          <span className="absolute inset-x-0 top-1/2 border-t border-line" />
          {buckets.map(({ at, opened, clicked }) => (
            <div
              key={at}
              title={T.interval(label(at), opened, clicked)}
              className="relative flex h-full min-w-0 flex-1 items-end justify-center gap-px rounded-t-sm hover:bg-panel/60"
            >
              <span className="w-2/5 max-w-4 rounded-t-sm bg-info" style={height(opened)} />
              <span className="w-2/5 max-w-4 rounded-t-sm bg-accent" style={height(clicked)} />
            </div>
          ))}
        </div>
        <div className="col-start-2 mt-2 flex gap-px">
          {buckets.map(({ at }, i) => (
            <span key={at} className="relative h-4 min-w-0 flex-1">
              {i % step === 0 && (
                <span
                  className={`absolute left-1/2 whitespace-nowrap ${i === 0 ? '' : '-translate-x-1/2'} ${(i / step) % 2 === 1 ? 'max-sm:hidden' : ''}`}
                >
                  {tick(at)}
                </span>
              )}
            </span>
          ))}
        </div>
      </div>
      {/* Firefox shows the caption of a table that is hidden itself. */}
      <div className="sr-only">
        <table>
          <caption>{T.engagementLead(formatDateTime(new Date(since)))}</caption>
          <thead>
            <tr>
              <th scope="col">{T.time}</th>
              <th scope="col">{T.opened}</th>
              <th scope="col">{T.clicked}</th>
            </tr>
          </thead>
          <tbody>
            {engagement.map(({ at, opened, clicked }) => (
              <tr key={at}>
                <th scope="row">{label(at)}</th>
                <td>{formatNumber(opened)}</td>
                <td>{formatNumber(clicked)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

const UNIT_MS = { hour: 3_600_000, day: 86_400_000 }
const INTERVALS_MAX = 60
/** A few bars alone wouldn't show when they are, so the first day or week is shown as far as it has passed. */
const INTERVALS_MIN = { hour: 24, day: 7 }
/** Fewer intervals say no more than the totals. */
const INTERVALS_SHOWN = 3
const TICKS = 6

/** The API omits intervals without opens and clicks; the time axis needs them. */
function withEmptyIntervals(
  engagement: ReportData['engagement'],
  unit: ReportData['unit'],
  since: string,
  now: number,
) {
  const byTime = new Map(engagement.map((bucket) => [Date.parse(bucket.at), bucket]))
  const start = Math.floor(Date.parse(since) / UNIT_MS[unit]) * UNIT_MS[unit]
  const end = Date.parse(engagement.at(-1)!.at)
  const intervalsUntil = (at: number) => Math.floor((at - start) / UNIT_MS[unit]) + 1
  const spanned = intervalsUntil(end)
  const passed = Math.max(spanned, intervalsUntil(now))
  const count = Math.min(INTERVALS_MAX, passed, Math.max(INTERVALS_MIN[unit], spanned))
  return Array.from({ length: count }, (_, i) => {
    const at = start + i * UNIT_MS[unit]
    return byTime.get(at) ?? { at: new Date(at).toISOString(), opened: 0, clicked: 0 }
  })
}

/** The smallest of 2, 4, 6, 8, 10, 20, 40… that fits: half of it is a whole number, too. */
function axisTop(highest: number): number {
  const unit = 10 ** Math.max(0, Math.ceil(Math.log10(Math.max(highest, 1))) - 1)
  return [2, 4, 6, 8, 10].map((factor) => factor * unit).find((top) => top >= highest)!
}
