/** A time in the viewer's time zone, with UTC on hover. */

import { sharedTexts } from '../shell/texts.ts'
import { formatDateTime, formatRelative } from './format.ts'

export function Moment({ at, relative }: { at: string | null; relative?: boolean }) {
  if (!at) return <span className="text-soft">{sharedTexts.missing}</span>
  const date = new Date(at)
  const utc = at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
  return (
    <time dateTime={at} title={relative ? `${formatDateTime(date)}\n${utc}` : utc} className="whitespace-nowrap">
      {relative ? formatRelative(date, new Date()) : formatDateTime(date)}
    </time>
  )
}
