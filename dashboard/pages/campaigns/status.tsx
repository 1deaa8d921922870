/** The status of a campaign, including whether it is paused or couldn't start. */
import type { Schemas } from '../../data/api.ts'
import { Badge, statusLabel, type Tone } from '../../ui/badge.tsx'

type Campaign = Schemas['Campaign']

const TONES: Record<Campaign['status'], Tone> = {
  DRAFT: 'neutral',
  SCHEDULED: 'info',
  SENDING: 'warn',
  SENT: 'good',
  CANCELLED: 'neutral',
}

export const STATUSES = Object.keys(TONES) as Campaign['status'][]

export function CampaignStatus({ campaign: { status, pausedAt, heldReason } }: { campaign: Campaign }) {
  if (heldReason) return <Badge tone="bad">{statusLabel('campaigns', 'NOT_STARTED')}</Badge>
  if (status === 'SENDING' && pausedAt) return <Badge tone="warn">{statusLabel('campaigns', 'PAUSED')}</Badge>
  return <Badge tone={TONES[status]}>{statusLabel('campaigns', status)}</Badge>
}
