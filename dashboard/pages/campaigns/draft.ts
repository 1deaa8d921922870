/** A campaign in the editor, and the request body made from it. */

import { type Condition, emptyCondition, isComplete } from '../../conditions/condition.ts'
import type { Schemas } from '../../data/api.ts'
import {
  type Draft as EmailDraft,
  draftFrom as emailDraftFrom,
  draftOf as emailDraftOf,
  partsOf as emailPartsOf,
  savedOf,
} from '../templates/draft.ts'
import { type ExperimentDraft, experimentOf, type WithExperiment } from './experiment/draft.ts'

type Campaign = Schemas['Campaign']

export interface Audience {
  audienceType: Campaign['audienceType']
  segmentId: string
  audienceCondition: Condition
  /** The topic of the emails, which limits who receives them. */
  topicId?: string | null
}

export type Draft = EmailDraft &
  Audience & {
    templateId: string | null
    utm: Campaign['utm']
    feed: Campaign['feed']
    experiment: ExperimentDraft | null
  }

export const draftOf = (campaign: Campaign & Partial<Pick<WithExperiment, 'experiment'>>): Draft => ({
  ...emailDraftOf(campaign),
  templateId: campaign.templateId,
  utm: campaign.utm,
  feed: campaign.feed,
  experiment: campaign.experiment ? experimentOf(campaign.experiment) : null,
  audienceType: campaign.audienceType,
  segmentId: campaign.segmentId ?? '',
  audienceCondition: (campaign.audienceCondition ?? emptyCondition()) as Condition,
})

/** The values that two people can change independently. The template belongs to the content that was copied from it. */
export function partsOf(draft: Draft) {
  const { content, templateId, audienceType, segmentId, audienceCondition, ...fields } = emailPartsOf(draft)
  const audience = { audienceType, segmentId, audienceCondition }
  return { ...fields, audience, content: { ...content, templateId } }
}

export const draftFrom = ({ audience, ...parts }: Record<string, unknown>): Draft =>
  emailDraftFrom({ ...parts, ...(audience as Audience) })

/** Only the fields that the audience type needs. */
export const audienceOf = ({ audienceType, segmentId, audienceCondition }: Audience) => ({
  audienceType,
  ...(audienceType === 'SEGMENT' && segmentId ? { segmentId } : {}),
  ...(audienceType === 'FILTERED' ? { audienceCondition: audienceCondition } : {}),
})

export const isAudienceComplete = ({ audienceType, segmentId, audienceCondition }: Audience): boolean =>
  audienceType === 'ALL' || (audienceType === 'SEGMENT' ? segmentId !== '' : isComplete(audienceCondition))

export const inputOf = (draft: Draft) => ({
  name: draft.name,
  ...savedOf(draft),
  templateId: draft.templateId,
  utm: draft.utm,
  feed: draft.feed,
  ...audienceOf(draft),
})
