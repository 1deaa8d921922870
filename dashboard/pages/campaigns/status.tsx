/** The state of a campaign in a word; one that is paused or held back says so. */
import type { Schemas } from '../../api.ts'
import { Badge, inWords, type Tone } from '../../parts/badge.tsx'

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
  if (heldReason) return <Badge tone="bad">Held back</Badge>
  if (status === 'SENDING' && pausedAt) return <Badge tone="warn">Paused</Badge>
  return <Badge tone={TONES[status]}>{inWords(status)}</Badge>
}
