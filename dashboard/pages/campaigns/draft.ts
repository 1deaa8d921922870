/** A campaign in the editor, and the request body made from it. */
import type { Schemas } from '../../api.ts'
import { type Condition, emptyCondition, isComplete } from '../../parts/condition.ts'

type Campaign = Schemas['Campaign']

export interface Audience {
  audienceType: Campaign['audienceType']
  segmentId: string
  audienceCondition: Condition
}

export type Draft = Pick<Campaign, 'name' | 'subject' | 'body' | 'from' | 'type'> &
  Audience & { fromName: string; replyTo: string; templateId: string | null }

export const draftOf = (campaign: Campaign): Draft => ({
  name: campaign.name,
  subject: campaign.subject,
  body: campaign.body,
  from: campaign.from,
  type: campaign.type,
  fromName: campaign.fromName ?? '',
  replyTo: campaign.replyTo ?? '',
  templateId: campaign.templateId,
  audienceType: campaign.audienceType,
  segmentId: campaign.segmentId ?? '',
  audienceCondition: (campaign.audienceCondition ?? emptyCondition()) as Condition,
})

/** Only the fields that the audience type needs. */
export const audienceOf = ({ audienceType, segmentId, audienceCondition }: Audience) => ({
  audienceType,
  ...(audienceType === 'SEGMENT' && segmentId ? { segmentId } : {}),
  ...(audienceType === 'FILTERED' ? { audienceCondition: audienceCondition as never } : {}),
})

export const isAudienceComplete = ({ audienceType, segmentId, audienceCondition }: Audience): boolean =>
  audienceType === 'ALL' || (audienceType === 'SEGMENT' ? segmentId !== '' : isComplete(audienceCondition))

export const inputOf = (draft: Draft) => ({
  name: draft.name,
  subject: draft.subject,
  body: draft.body,
  from: draft.from,
  type: draft.type,
  fromName: draft.fromName || null,
  replyTo: draft.replyTo || null,
  templateId: draft.templateId,
  ...audienceOf(draft),
})
