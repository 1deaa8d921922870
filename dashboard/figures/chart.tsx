/** A chart over days, drawn by uPlot and loaded on demand. Screen readers get the same numbers as a table. */
import './valid-language.ts'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useIsDark } from '../look/theme.ts'
import { chartTexts } from '../shell/texts.ts'
import { formatDay, formatNumber, formatShortDay } from './format.ts'

export interface Line {
  label: string
  /** A color variable of the theme, such as `--accent`. */
  color: string
  values: number[]
  /** Bars stay visible behind a line with the same values. */
  kind?: 'line' | 'bars'
  /** The values of another period are paler. */
  isPast?: boolean
}

interface ChartProps {
  label: string
  /** `YYYY-MM-DD`, UTC. */
  days: string[]
  lines: Line[]
  height?: number
  format?: (value: number) => string
  /** The smallest value at the top of the chart, so that a few emails don't look like many. */
  topMin?: number
}

const DAY_SECONDS = 86_400
const AXIS_FONT = '12px Inter, system-ui, sans-serif'
const BAR_WIDTH = [0.7, 28] as [number, number]
const DASH = [4, 4]
/** The opacity of a color, as its last two digits. */
const PALE = '59'

const colorOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const isToday = (day: string | undefined) => day === new Date().toISOString().slice(0, 10)

interface DrawnLine extends Omit<Line, 'values'> {
  values: (number | null)[]
  dashed?: boolean
}

/** Today isn't over, so the way to its value is dashed instead of looking like a fall. */
function splitToday(line: Line): DrawnLine[] {
  if (line.kind === 'bars' || line.isPast || line.values.length < 2) return [line]
  const last = line.values.length - 1
  return [
    { ...line, values: line.values.map((value, i) => (i === last ? null : value)) },
    { ...line, dashed: true, values: line.values.map((value, i) => (i >= last - 1 ? value : null)) },
  ]
}

const COUNT_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 1e7]

export function Chart({ label, days, lines, height = 220, format = formatNumber, topMin = 4 }: ChartProps) {
  const container = useRef<HTMLDivElement>(null)
  const tip = useRef<HTMLDivElement>(null)
  const dark = useIsDark()
  const hasToday = days.length > 1 && isToday(days.at(-1))

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors read inside depend on the theme.
  useEffect(() => {
    const box = container.current!
    const drawn: DrawnLine[] = hasToday ? lines.flatMap(splitToday) : lines
    const axis = {
      stroke: colorOf('--soft'),
      grid: { stroke: colorOf('--line'), width: 1 },
      ticks: { show: false },
      font: AXIS_FONT,
    }
    const plot = new uPlot(
      {
        width: box.clientWidth,
        height,
        padding: [8, 22, 0, 0],
        legend: { show: false },
        cursor: { points: { size: 7 }, y: false, drag: { x: false, y: false } },
        scales: {
          x: { time: true, range: (_plot, first, last) => [first - DAY_SECONDS / 2, last + DAY_SECONDS / 2] },
          y: { range: (_plot, _low, high) => [0, Math.max(topMin, high * 1.1)] },
        },
        axes: [
          {
            ...axis,
            grid: { show: false },
            size: 28,
            incrs: [1, 2, 7, 14, 30, 61, 91, 183].map((days) => days * DAY_SECONDS),
            values: (_plot, splits) => splits.map((at) => formatShortDay(new Date(at * 1000))),
          },
          {
            ...axis,
            size: 52,
            values: (_plot, splits) => splits.map((value) => format(value)),
            ...(topMin >= 1 ? { incrs: COUNT_STEPS } : {}),
          },
        ],
        series: [
          {},
          ...drawn.map((line) => ({
            stroke: line.kind === 'bars' ? 'transparent' : `${colorOf(line.color)}${line.isPast ? PALE : ''}`,
            width: line.dashed ? 1.5 : 2,
            points: { show: false },
            ...(line.dashed ? { dash: DASH } : {}),
            ...(line.kind === 'bars'
              ? { fill: colorOf('--accent-bar'), paths: uPlot.paths.bars!({ size: BAR_WIDTH, radius: 0.15 }) }
              : {}),
          })),
        ],
        tzDate: (ts) => uPlot.tzDate(new Date(ts * 1000), 'Etc/UTC'),
        hooks: { setCursor: [({ cursor }) => tip.current && placeTip(tip.current, box, cursor.left, cursor.idx)] },
      },
      [days.map((day) => Date.parse(day) / 1000), ...drawn.map((line) => line.values)],
      box,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height }))
    observer.observe(box)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [days, lines, height, dark, format, topMin, hasToday])

  return (
    <figure aria-label={label} className="relative overflow-x-clip">
      <ul aria-hidden className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem] text-soft">
        {lines.map((line) => (
          <li key={line.label} className="flex items-center gap-1.5">
            <Mark line={line} />
            {line.label}
          </li>
        ))}
        {hasToday && (
          <li className="flex items-center gap-1.5">
            <span className="w-5 shrink-0 border-t-2 border-dashed border-soft" />
            {chartTexts.todaySoFar}
          </li>
        )}
      </ul>
      <div className="relative" aria-hidden>
        <div ref={container} />
        <div
          ref={tip}
          hidden
          className="pointer-events-none absolute top-2 z-10 rounded-part border border-line bg-card px-3 py-2 text-[0.8125rem] shadow-float"
        >
          {days.map((day, i) => (
            <div key={day} hidden>
              <p className="mb-1 font-medium">{isToday(day) ? chartTexts.today(formatDay(day)) : formatDay(day)}</p>
              {lines.map((line) => (
                <p key={line.label} className="figures flex items-center justify-between gap-4 whitespace-nowrap">
                  <span className="flex items-center gap-1.5 text-soft">
                    <Mark line={line} /> {line.label}
                  </span>
                  {format(line.values[i] ?? 0)}
                </p>
              ))}
            </div>
          ))}
        </div>
      </div>
      {/* Firefox shows the caption of a table that is hidden itself. */}
      <div className="sr-only">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{chartTexts.day}</th>
              {lines.map((line) => (
                <th key={line.label} scope="col">
                  {line.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, i) => (
              <tr key={day}>
                <th scope="row">{formatDay(day)}</th>
                {lines.map((line) => (
                  <td key={line.label}>{format(line.values[i] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

function Mark({ line: { kind, color, isPast } }: { line: Line }) {
  if (kind === 'bars') return <span className="size-2.5 shrink-0 rounded-xs bg-accent-bar" />
  const style = { borderTopColor: `var(${color})` }
  return <span className={`w-3 shrink-0 border-t-2 ${isPast ? 'opacity-35' : ''}`} style={style} />
}

/** Shows the values of the day under the pointer, on the side of it that has room. */
function placeTip(tip: HTMLElement, box: HTMLElement, left: number | undefined, day: number | null | undefined): void {
  const entries = [...tip.children] as HTMLElement[]
  const shown = left !== undefined && left >= 0 && day !== null && day !== undefined
  tip.hidden = !shown
  if (!shown) return
  entries.forEach((entry, i) => {
    entry.hidden = i !== day
  })
  const over = box.querySelector<HTMLElement>('.u-over')!
  const at = over.offsetLeft + left
  const toTheRight = at + 16 + tip.offsetWidth < box.clientWidth
  tip.style.left = `${toTheRight ? at + 16 : Math.max(0, at - 16 - tip.offsetWidth)}px`
}
