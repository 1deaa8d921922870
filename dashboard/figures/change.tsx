/** The change of a number or a rate compared with the previous period, worded the same on every page. */
import { ArrowDown, ArrowUp } from 'lucide-react'
import { changeTexts } from '../shell/texts.ts'

/** Smaller changes round to zero. */
const SMALLEST_SHOWN = 0.0005
/** Rates that should be high vary by up to a point anyway, which is neither good nor bad. */
const NOTABLE_POINTS = 0.01

interface ChangeProps {
  /** A ratio, or the difference of two rates. */
  change: number
  isPoints?: boolean
  /** Which direction is an improvement. Undefined if neither is. */
  better?: 'more' | 'fewer' | undefined
}

export function Change({ change, isPoints, better }: ChangeProps) {
  if (Math.abs(change) < SMALLEST_SHOWN)
    return <span className="figures text-[0.8125rem] text-soft">{changeTexts.none}</span>
  const Arrow = change > 0 ? ArrowUp : ArrowDown
  const isMinor = isPoints && better === 'more' && Math.abs(change) < NOTABLE_POINTS
  const tone =
    better === undefined || isMinor ? 'text-soft' : change > 0 === (better === 'more') ? 'text-good' : 'text-bad'
  return (
    <span className={`figures text-[0.8125rem] whitespace-nowrap ${tone}`}>
      <Arrow className="inline size-3.5 align-[-0.125em]" aria-hidden />
      <span className="sr-only">{change > 0 ? changeTexts.up : changeTexts.down}</span>{' '}
      {isPoints ? changeTexts.points(Math.abs(change)) : changeTexts.percent(Math.abs(change))}
    </span>
  )
}
