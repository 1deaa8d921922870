/** A line chart over days, drawn by uPlot and loaded on demand. Screen readers get the same numbers as a table. */
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useIsDark } from '../look/theme.ts'
import { formatDay, formatNumber, formatShortDay } from './format.ts'
import { chartTexts } from './texts.ts'

export interface Line {
  label: string
  /** A color variable of the theme, such as `--accent`. */
  color: string
  values: number[]
}

interface ChartProps {
  label: string
  /** `YYYY-MM-DD`, UTC. */
  days: string[]
  lines: Line[]
  height?: number
}

const DAY_SECONDS = 86_400

const colorOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

export function Chart({ label, days, lines, height = 220 }: ChartProps) {
  const container = useRef<HTMLDivElement>(null)
  const dark = useIsDark()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors read inside depend on the theme.
  useEffect(() => {
    const box = container.current!
    const axis = { stroke: colorOf('--soft'), grid: { stroke: colorOf('--line'), width: 1 }, ticks: { show: false } }
    const plot = new uPlot(
      {
        width: box.clientWidth,
        height,
        padding: [8, 8, 0, 0],
        legend: { live: true },
        cursor: { points: { size: 7 }, drag: { x: false, y: false } },
        scales: { x: { time: true }, y: { range: (_plot, _low, high) => [0, Math.max(4, high * 1.1)] } },
        axes: [
          {
            ...axis,
            grid: { show: false },
            incrs: [1, 2, 7, 14, 30, 61, 91, 183].map((days) => days * DAY_SECONDS),
            values: (_plot, splits) => splits.map((at) => formatShortDay(new Date(at * 1000))),
          },
          {
            ...axis,
            size: 44,
            incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7],
          },
        ],
        series: [
          {
            label: chartTexts.day,
            value: (_plot, at) => (at === null ? '' : formatDay(new Date(at * 1000).toISOString())),
          },
          ...lines.map((line, i) => ({
            label: line.label,
            stroke: colorOf(line.color),
            value: (_plot: uPlot, count: number | null) => (count === null ? '' : formatNumber(count)),
            width: 2,
            points: { show: false },
            ...(i === 0 ? { fill: colorOf('--accent-wash') } : {}),
          })),
        ],
        tzDate: (ts) => uPlot.tzDate(new Date(ts * 1000), 'Etc/UTC'),
      },
      [days.map((day) => Date.parse(day) / 1000), ...lines.map((line) => line.values)],
      box,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height }))
    observer.observe(box)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [days, lines, height, dark])

  return (
    <figure aria-label={label} className="relative overflow-x-clip">
      <div ref={container} aria-hidden />
      <table className="sr-only">
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
                <td key={line.label}>{formatNumber(line.values[i] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
