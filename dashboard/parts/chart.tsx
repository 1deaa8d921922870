/** Lines over days, drawn by uPlot. Loaded when a page has something to draw; the same numbers are in a table for those who cannot see it. */
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useIsDark } from '../look/theme.ts'

export interface Line {
  label: string
  /** The name of a colour of the theme: `--accent`. */
  colour: string
  values: number[]
}

interface ChartProps {
  label: string
  /** `YYYY-MM-DD`, UTC. */
  days: string[]
  lines: Line[]
  height?: number
}

const colourOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

export function Chart({ label, days, lines, height = 220 }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const dark = useIsDark()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the colours read inside.
  useEffect(() => {
    const box = place.current!
    const axis = { stroke: colourOf('--soft'), grid: { stroke: colourOf('--line'), width: 1 }, ticks: { show: false } }
    const plot = new uPlot(
      {
        width: box.clientWidth,
        height,
        padding: [8, 8, 0, 0],
        legend: { live: true },
        cursor: { points: { size: 7 }, drag: { x: false, y: false } },
        scales: { x: { time: true }, y: { range: (_plot, _low, high) => [0, Math.max(4, high * 1.1)] } },
        axes: [
          { ...axis, grid: { show: false } },
          {
            ...axis,
            size: 44,
            incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7],
          },
        ],
        series: [
          { label: 'Day', value: (_plot, at) => (at === null ? '' : new Date(at * 1000).toISOString().slice(0, 10)) },
          ...lines.map((line, i) => ({
            label: line.label,
            stroke: colourOf(line.colour),
            value: (_plot: uPlot, count: number | null) => count?.toLocaleString() ?? '',
            width: 2,
            points: { show: false },
            ...(i === 0 ? { fill: colourOf('--accent-wash') } : {}),
          })),
        ],
        tzDate: (ts) => uPlot.tzDate(new Date(ts * 1000), 'Etc/UTC'),
      },
      [days.map((day) => Date.parse(day) / 1000), ...lines.map((line) => line.values)],
      box,
    )
    const watcher = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height }))
    watcher.observe(box)
    return () => {
      watcher.disconnect()
      plot.destroy()
    }
  }, [days, lines, height, dark])

  return (
    <figure aria-label={label} className="relative overflow-x-clip">
      <div ref={place} aria-hidden />
      <table className="sr-only">
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
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
              <th scope="row">{day}</th>
              {lines.map((line) => (
                <td key={line.label}>{line.values[i]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
