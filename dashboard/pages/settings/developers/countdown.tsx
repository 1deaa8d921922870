/** The time that is left until a moment, updated every second. */

import { useEffect, useState } from 'react'
import { formatUnit } from '../../../figures/format.ts'

const SECOND_MS = 1_000

export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS))
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24]
  const [minutes, rest] = [Math.floor(seconds / 60) % 60, seconds % 60]
  if (days > 0) return `${formatUnit(days, 'day', 'narrow')} ${formatUnit(hours, 'hour', 'narrow')}`
  if (hours > 0) return `${formatUnit(hours, 'hour', 'narrow')} ${formatUnit(minutes, 'minute', 'narrow')}`
  const left = formatUnit(rest, 'second', 'narrow')
  return minutes > 0 ? `${formatUnit(minutes, 'minute', 'narrow')} ${left}` : left
}

/** Nothing once the time is over. */
export function Countdown({ until, text }: { until: string; text(left: string): string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  const leftMs = new Date(until).getTime() - now
  return leftMs > 0 && <span role="timer">{text(timeLeft(leftMs))}</span>
}
