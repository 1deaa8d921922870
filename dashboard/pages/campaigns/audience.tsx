/** Who gets a campaign: everyone, a segment, or whoever matches; with the number, and who is left out. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type PosthornError, type Schemas, unwrap } from '../../api.ts'
import { ConditionEditor } from '../../parts/condition-editor.tsx'
import { countWords } from '../../parts/count-words.ts'
import { Select, wrongAt } from '../../parts/field.tsx'
import { Card } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useApi } from '../../project.ts'
import { useSettled } from '../../use-settled.ts'
import { type Audience, audienceOf, isAudienceComplete } from './draft.ts'

const KINDS: Record<Audience['audienceType'], [string, string]> = {
  ALL: ['Everyone', 'Every contact you may write to.'],
  SEGMENT: ['A segment', 'Whoever is in it when sending starts.'],
  FILTERED: ['Whoever matches', 'A condition for this campaign alone.'],
}

interface StepProps {
  audience: Audience
  type: Schemas['Campaign']['type']
  error: PosthornError | null
  onChange(changes: Partial<Audience>): void
}

export function AudienceStep({ audience, type, error, onChange }: StepProps) {
  const { projectId, api } = useApi()
  const { data: segments } = useQuery({
    queryKey: [projectId, 'segments'],
    queryFn: () => unwrap(api.segments.list()),
  })
  const options = Object.fromEntries((segments ?? []).map(({ id, name }) => [id, name]))
  return (
    <Card title="Audience">
      <div className="space-y-4">
        <fieldset className="grid gap-2 sm:grid-cols-3">
          <legend className="sr-only">Who gets it</legend>
          {Object.entries(KINDS).map(([kind, [words, more]]) => (
            <label
              key={kind}
              className="flex cursor-pointer gap-3 rounded-part border border-line p-3 text-sm hover:border-line-strong has-checked:border-accent has-checked:bg-accent-wash/50"
            >
              <input
                type="radio"
                name="audience"
                className="mt-1 accent-accent"
                checked={audience.audienceType === kind}
                onChange={() => onChange({ audienceType: kind as Audience['audienceType'] })}
              />
              <span>
                <span className="block font-medium">{words}</span>
                <span className="text-soft">{more}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {audience.audienceType === 'SEGMENT' && (
          <div className="max-w-sm">
            <Select
              label="Segment"
              value={audience.segmentId}
              options={{ '': 'Choose one', ...options }}
              wrong={wrongAt(error, 'segmentId')}
              onChange={(event) => onChange({ segmentId: event.target.value })}
            />
          </div>
        )}
        {audience.audienceType === 'FILTERED' && (
          <ConditionEditor
            condition={audience.audienceCondition}
            onChange={(audienceCondition) => onChange({ audienceCondition })}
            error={error}
            place="audienceCondition"
          />
        )}
        <AudienceCount audience={audience} type={type} />
      </div>
    </Card>
  )
}

const PAUSE_MS = 400

export function useAudience(audience: Audience, type: Schemas['Campaign']['type']) {
  const { projectId, api } = useApi()
  const asked = useSettled(audience, PAUSE_MS)
  return useQuery({
    queryKey: [projectId, 'campaigns', 'audience', type, JSON.stringify(audienceOf(asked))],
    enabled: isAudienceComplete(asked),
    queryFn: () => unwrap(api.campaigns.previewAudience({ ...audienceOf(asked), type })),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  })
}

export function AudienceCount({ audience, type }: Pick<StepProps, 'audience' | 'type'>) {
  const { data, error } = useAudience(audience, type)
  if (!isAudienceComplete(audience)) {
    return <p className="text-sm text-soft">Say who gets it to see how many that are.</p>
  }
  if (error) return <Problem error={error} />
  if (!data) return <p className="text-sm text-soft">Counting…</p>
  const { unsubscribed, suppressed } = data.excluded
  return (
    <p aria-live="polite" className="figures rounded-part bg-panel px-4 py-3 text-sm">
      <strong className="font-semibold">{countWords(data.count, 'contact')}</strong> would get it now.{' '}
      <span className="text-soft">
        Left out: {unsubscribed.toLocaleString()} not subscribed, {suppressed.toLocaleString()} suppressed.
      </span>
    </p>
  )
}
