/** A status as a colored label. The text alone is enough to understand it. */
import type { ReactNode } from 'react'
import { sharedTexts, statusTexts } from '../shell/texts.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral'

const TONES: Record<Tone, string> = {
  good: 'bg-good-wash text-good',
  warn: 'bg-warn-wash text-warn',
  bad: 'bg-bad-wash text-bad',
  info: 'bg-info-wash text-info',
  neutral: 'bg-panel text-soft',
}

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  )
}

export const EMAIL_STATUSES =
  'SCHEDULED PENDING SENDING SENT DELIVERED OPENED CLICKED BOUNCED COMPLAINED FAILED CANCELLED SKIPPED RECEIVED'.split(
    ' ',
  )

const EMAIL_TONES: Record<string, Tone> = {
  SCHEDULED: 'info',
  DELIVERED: 'good',
  OPENED: 'info',
  CLICKED: 'info',
  RECEIVED: 'info',
  BOUNCED: 'bad',
  COMPLAINED: 'bad',
  FAILED: 'bad',
}

export type StatusKind = keyof typeof statusTexts

/** `SENT` reads as "Sent". Values without a label are shown in the same style. */
export const statusLabel = (kind: StatusKind, value: string): string =>
  (statusTexts[kind] as Record<string, string>)[value] ?? capitalize(value)

const capitalize = (value: string) => value.charAt(0) + value.slice(1).toLowerCase().replaceAll('_', ' ')

export const EmailStatus = ({ status }: { status: string }) => (
  <Badge tone={EMAIL_TONES[status] ?? 'neutral'}>{statusLabel('emails', status)}</Badge>
)

const RUN_TONES: Record<string, Tone> = {
  RUNNING: 'info',
  WAITING: 'warn',
  COMPLETED: 'good',
  FAILED: 'bad',
}

/** The status of an execution of a workflow, or of one of its steps. */
export const RunStatus = ({ status }: { status: string }) => (
  <Badge tone={RUN_TONES[status] ?? 'neutral'}>{statusLabel('executions', status)}</Badge>
)

export const Subscription = ({ subscribed }: { subscribed: boolean }) =>
  subscribed ? <Badge tone="good">{sharedTexts.subscribed}</Badge> : <Badge>{sharedTexts.notSubscribed}</Badge>
