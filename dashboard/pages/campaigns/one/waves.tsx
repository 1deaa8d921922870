/** The waves of a campaign whose recipients get it at different times: a timeline, and its numbers as a table. */
import type { Schemas } from '../../../data/api.ts'
import { formatClock, formatDateTime, formatNumber } from '../../../figures/format.ts'
import { Moment } from '../../../figures/moment.tsx'
import { Cell, NumberCell, Row, Table } from '../../../lists/table.tsx'
import { Card } from '../../../shell/page.tsx'
import { RichText } from '../../../shell/rich-text.tsx'
import { ZONE } from '../local-time.ts'
import { type Interval, intervalsOf, nextWave, type Wave } from '../timing/intervals.ts'
import { timingTexts } from '../timing/texts.ts'

const T = timingTexts.waves
const TICKS = 6

export function WavesCard({ campaign: { timing, waves = [], status, pausedAt } }: { campaign: Schemas['Campaign'] }) {
  if (!timing || waves.length === 0) return null
  const intervals = intervalsOf(waves)
  const next = status === 'SENDING' && !pausedAt ? nextWave(waves, new Date()) : undefined
  return (
    <Card title={T.title} lead={timingTexts.describe(timing)}>
      <p className="figures mb-4 text-sm">
        {T.summary(sumOf(waves, 'sent'), sumOf(waves, 'recipients'))}{' '}
        {next && <RichText text={T.next(next.recipients)} elements={{ time: () => <Moment at={next.at} /> }} />}
      </p>
      {intervals.length > 1 && <Timeline intervals={intervals} />}
      <details className="group mt-3 text-sm">
        <summary className="w-fit cursor-pointer rounded-part text-soft hover:text-ink">{T.numbers}</summary>
        <div className="-mx-5 mt-2">
          <Table label={T.title} head={[T.time, { number: T.recipients }, { number: T.sent }]}>
            {intervals
              .filter(({ recipients }) => recipients > 0)
              .map(({ at, recipients, sent }) => (
                <Row key={at}>
                  <Cell className="w-full">
                    <Moment at={new Date(at).toISOString()} />
                  </Cell>
                  <NumberCell>{formatNumber(recipients)}</NumberCell>
                  <NumberCell>{formatNumber(sent)}</NumberCell>
                </Row>
              ))}
          </Table>
        </div>
        <p className="mt-2 text-[0.8125rem] text-soft">{T.zone(ZONE)}</p>
      </details>
    </Card>
  )
}

const sumOf = (waves: Wave[], count: 'sent' | 'recipients') => waves.reduce((sum, wave) => sum + wave[count], 0)

/** A bar for each interval, of which the part that is sent is darker. The table has the same numbers. */
function Timeline({ intervals }: { intervals: Interval[] }) {
  const top = Math.max(...intervals.map(({ recipients }) => recipients))
  const step = Math.ceil(intervals.length / TICKS)
  const height = (count: number) => ({ height: `${(count / top) * 100}%` })
  return (
    <div aria-hidden className="text-xs text-soft">
      <ul className="mb-3 flex gap-4 text-[0.8125rem]">
        <li className="flex items-center gap-1.5">
          <span className="size-2.5 rounded-sm bg-accent" /> {T.legend.sent}
        </li>
        <li className="flex items-center gap-1.5">
          <span className="size-2.5 rounded-sm bg-accent-bar" /> {T.legend.waiting}
        </li>
      </ul>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
        <div className="figures flex flex-col justify-between text-end *:-my-2 *:leading-4">
          <span>{formatNumber(top)}</span>
          <span>{formatNumber(0)}</span>
        </div>
        <div className="flex h-28 items-end gap-px border-y border-line">
          {intervals.map(({ at, recipients, sent }) => (
            <div
              key={at}
              title={T.interval(formatDateTime(new Date(at)), recipients, sent)}
              className="flex h-full min-w-0 flex-1 items-end justify-center hover:bg-panel/60"
            >
              <span
                className="flex w-4/5 max-w-8 items-end overflow-hidden rounded-t-sm bg-accent-bar"
                style={{ ...height(recipients), minHeight: recipients > 0 ? 3 : 0 }}
              >
                <span className="w-full bg-accent" style={{ height: `${(sent / Math.max(recipients, 1)) * 100}%` }} />
              </span>
            </div>
          ))}
        </div>
        <div className="col-start-2 mt-2 flex gap-px">
          {intervals.map(({ at }, i) => (
            <span key={at} className="relative h-4 min-w-0 flex-1">
              {i % step === 0 && (
                <span
                  className={`absolute left-1/2 whitespace-nowrap ${i === 0 ? '' : '-translate-x-1/2'} ${(i / step) % 2 === 1 ? 'max-sm:hidden' : ''}`}
                >
                  {formatClock(new Date(at))}
                </span>
              )}
            </span>
          ))}
        </div>
      </div>
    </div>
  )
}
