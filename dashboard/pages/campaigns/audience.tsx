/** The audience of a campaign, with the number of contacts that are included and excluded. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ConditionEditor } from '../../conditions/condition-editor.tsx'
import { type PosthornError, type Schemas, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useDebounced } from '../../data/use-debounced.ts'
import { Problem } from '../../lists/problem.tsx'
import { SegmentPicker } from '../../pickers/segment-picker.tsx'
import { Card } from '../../shell/page.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { fieldError } from '../../ui/field.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { type Audience, audienceOf, isAudienceComplete } from './draft.ts'
import { texts } from './texts.ts'

interface StepProps {
  audience: Audience
  type: Schemas['Campaign']['type']
  error: PosthornError | null
  onChange(changes: Partial<Audience>): void
}

export function AudienceStep({ audience, type, error, onChange }: StepProps) {
  return (
    <Card title={texts.audience.title}>
      <div className="space-y-4">
        <RadioCards
          legend={texts.audience.legend}
          hideLegend
          name="audience"
          value={audience.audienceType}
          options={texts.audience.kinds}
          columns="sm:grid-cols-3"
          onChange={(audienceType) => onChange({ audienceType })}
        />
        {audience.audienceType === 'SEGMENT' && (
          <div className="max-w-sm">
            <SegmentPicker
              label={texts.audience.segment}
              value={audience.segmentId}
              error={fieldError(error, 'segmentId')}
              onChoose={(segmentId) => onChange({ segmentId })}
            />
          </div>
        )}
        {audience.audienceType === 'FILTERED' && (
          <ConditionEditor
            condition={audience.audienceCondition}
            onChange={(audienceCondition) => onChange({ audienceCondition })}
            error={error}
            path="audienceCondition"
          />
        )}
        <AudienceCount audience={audience} type={type} />
      </div>
    </Card>
  )
}

const DEBOUNCE_MS = 400

export function useAudience(audience: Audience, type: Schemas['Campaign']['type']) {
  const { projectId, api } = useApi()
  const debounced = useDebounced(audience, DEBOUNCE_MS)
  return useQuery({
    queryKey: [
      projectId,
      'campaigns',
      'audience',
      type,
      debounced.topicId ?? '',
      JSON.stringify(audienceOf(debounced)),
    ],
    enabled: isAudienceComplete(debounced),
    queryFn: () =>
      unwrap(api.campaigns.previewAudience({ ...audienceOf(debounced), type, topicId: debounced.topicId ?? null })),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  })
}

export function AudienceCount({ audience, type }: Pick<StepProps, 'audience' | 'type'>) {
  const { data, error } = useAudience(audience, type)
  if (!isAudienceComplete(audience)) {
    return <p className="text-sm text-soft">{texts.audience.incomplete}</p>
  }
  if (error) return <Problem error={error} />
  if (!data) return <p className="text-sm text-soft">{texts.audience.counting}</p>
  return (
    <p aria-live="polite" className="figures rounded-part bg-panel px-4 py-3 text-sm">
      <RichText
        text={texts.audience.count(data.count)}
        elements={{ strong: (text) => <strong className="font-semibold">{text}</strong> }}
      />{' '}
      <span className="text-soft">{texts.audience.left(data.total, data.reasons)}</span>
    </p>
  )
}
