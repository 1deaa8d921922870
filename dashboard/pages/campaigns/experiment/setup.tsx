/** Sets up the experiment of a campaign: what differs, the variants, the share of the test and how the winner is chosen. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { PosthornError } from '../../../data/api.ts'
import { Card } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, fieldError, NumberInput, Select } from '../../../ui/field.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { ConversionEvent } from './conversion-event.tsx'
import {
  type ExperimentDraft,
  newExperiment,
  newVariant,
  PARTS,
  type Part,
  SHARE,
  sameVariants,
  shareNeeded,
  TEST_MIN,
  testSize,
  VARIANTS_MAX,
  WAIT_MINUTES,
} from './draft.ts'
import { experimentTexts } from './texts.ts'
import { type CampaignFields, VariantFields } from './variant-fields.tsx'

const T = experimentTexts.setup

interface SetupProps {
  experiment: ExperimentDraft | null
  /** The campaign that the variants differ from. */
  campaign: CampaignFields
  /** How many contacts get the campaign; undefined if that isn't known. */
  audience: number | undefined
  /** It is scheduled with a time for each recipient. */
  isTimed: boolean
  error: PosthornError | null
  onChange(change: { experiment: ExperimentDraft | null }): void
}

/** The fields that show their own error. */
export const experimentFields = (experiment: ExperimentDraft | null): string[] => [
  ...['share', 'waitMinutes', 'conversionEvent'].map((field) => `experiment.${field}`),
  ...(experiment?.variants ?? []).flatMap((_, i) =>
    ['name', 'subject', 'from', 'fromName', 'preheader'].map((field) => `experiment.variants.${i}.${field}`),
  ),
]

export function ExperimentSetup({ experiment, campaign, audience, isTimed, error, onChange }: SetupProps) {
  const add = (
    <Button onClick={() => onChange({ experiment: newExperiment() })}>
      <Plus aria-hidden /> {T.add}
    </Button>
  )
  const remove = <Button onClick={() => onChange({ experiment: null })}>{T.remove}</Button>
  const isPossible = !isTimed || experiment !== null
  return (
    <Card
      title={experimentTexts.title}
      lead={experiment ? T.lead : isTimed ? T.timed : T.empty}
      actions={isPossible ? (experiment ? remove : add) : undefined}
    >
      {experiment && (
        <Fields
          experiment={experiment}
          campaign={campaign}
          audience={audience}
          error={error}
          change={(changes) => onChange({ experiment: { ...experiment, ...changes } })}
        />
      )}
    </Card>
  )
}

interface FieldsProps extends Pick<SetupProps, 'campaign' | 'audience' | 'error'> {
  experiment: ExperimentDraft
  change(changes: Partial<ExperimentDraft>): void
}

function Fields({ experiment, campaign, audience, error, change }: FieldsProps) {
  const { parts, variants, metric } = experiment
  const same = sameVariants(experiment)
  const togglePart = (part: Part) =>
    change({ parts: PARTS.filter((one) => (one === part ? !parts.includes(one) : parts.includes(one))) })
  return (
    <div className="space-y-6">
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">{T.parts}</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {PARTS.map((part) => (
            <Checkbox
              key={part}
              label={T.partLabels[part]}
              checked={parts.includes(part)}
              onChange={() => togglePart(part)}
            />
          ))}
        </div>
        <p className="mt-1.5 text-[0.8125rem] text-soft">{parts.length === 0 ? T.noParts : T.onePart}</p>
      </fieldset>
      <div className="space-y-3">
        {variants.map((variant, i) => (
          <VariantFields
            // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed.
            key={i}
            index={i}
            variant={variant}
            parts={parts}
            campaign={campaign}
            error={error}
            onChange={(changes) =>
              change({ variants: variants.map((one, at) => (at === i ? { ...one, ...changes } : one)) })
            }
            onRemove={
              variants.length > 2 ? () => change({ variants: variants.filter((_, at) => at !== i) }) : undefined
            }
          />
        ))}
        {variants.length < VARIANTS_MAX ? (
          <Button onClick={() => change({ variants: [...variants, newVariant(variants)] })}>
            <Plus aria-hidden /> {T.addVariant}
          </Button>
        ) : (
          <p className="text-[0.8125rem] text-soft">{T.mostVariants(VARIANTS_MAX)}</p>
        )}
        {parts.includes('content') && <p className="text-[0.8125rem] text-soft">{T.contentBelow}</p>}
        {same && parts.length > 0 && (
          <p aria-live="polite" className="text-sm text-warn">
            {T.same(...same)}
          </p>
        )}
      </div>
      <Share experiment={experiment} audience={audience} error={error} onChange={(share) => change({ share })} />
      <RadioCards
        legend={T.metric}
        name="experiment-metric"
        value={metric}
        options={T.metrics}
        columns="sm:grid-cols-3"
        onChange={(chosen) => change({ metric: chosen })}
      />
      {metric === 'conversions' && (
        <ConversionEvent
          value={experiment.conversionEvent}
          error={fieldError(error, 'experiment.conversionEvent')}
          onChange={(conversionEvent) => change({ conversionEvent })}
        />
      )}
      <Wait
        minutes={experiment.waitMinutes}
        error={fieldError(error, 'experiment.waitMinutes')}
        onChange={(waitMinutes) => change({ waitMinutes })}
      />
      <RadioCards
        legend={T.selection}
        name="experiment-winner"
        value={experiment.winner}
        options={T.selections}
        columns="sm:grid-cols-2"
        onChange={(winner) => change({ winner })}
      />
    </div>
  )
}

interface ShareProps {
  experiment: ExperimentDraft
  audience: number | undefined
  error: PosthornError | null
  onChange(share: number): void
}

/** The share as a slider, and what it means in numbers and as a bar. */
function Share({ experiment: { share, variants }, audience, error, onChange }: ShareProps) {
  const test = audience === undefined ? undefined : testSize(audience, share)
  const isTooSmall = test !== undefined && test < TEST_MIN
  const problem = fieldError(error, 'experiment.share')
  return (
    <div>
      <label htmlFor="experiment-share" className="mb-1.5 block text-sm font-medium">
        {T.share}
      </label>
      <div className="flex items-center gap-4">
        <input
          id="experiment-share"
          type="range"
          min={SHARE.min}
          max={SHARE.max}
          step={1}
          value={share}
          aria-valuetext={T.shareValue(share)}
          aria-describedby="experiment-share-hint"
          onChange={(event) => onChange(event.target.valueAsNumber)}
          className="w-full max-w-sm accent-accent"
        />
        <span aria-hidden className="figures w-12 text-sm font-semibold">
          {T.shareValue(share)}
        </span>
      </div>
      <div aria-hidden className="mt-2 flex h-7 max-w-2xl gap-px overflow-hidden rounded-part text-xs font-medium">
        {variants.map((variant, i) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed.
            key={i}
            style={{ flexGrow: share / variants.length }}
            className="flex min-w-0 basis-0 items-center justify-center overflow-hidden bg-accent text-on-accent"
          >
            {variant.name.slice(0, 1)}
          </span>
        ))}
        <span style={{ flexGrow: 100 - share }} className="flex basis-0 items-center justify-center bg-accent-wash">
          {T.rest}
        </span>
      </div>
      <p id="experiment-share-hint" className="figures mt-2 text-[0.8125rem] text-soft">
        {audience === undefined || test === undefined
          ? T.splitUnknown(variants.length, share)
          : T.split(variants.length, Math.floor(test / variants.length), audience - test)}
      </p>
      {problem && <p className="mt-1.5 text-[0.8125rem] text-bad">{problem}</p>}
      {isTooSmall && !problem && (
        <p aria-live="polite" className="mt-1.5 text-sm text-warn">
          {T.tooSmall(test, TEST_MIN, shareNeeded(audience ?? 0))}
        </p>
      )}
    </div>
  )
}

const UNITS = { minute: 1, hour: 60, day: 1_440 }
type Unit = keyof typeof UNITS

/** The largest unit in which it is a whole number. */
const unitOf = (minutes: number): Unit => (minutes % 1_440 === 0 ? 'day' : minutes % 60 === 0 ? 'hour' : 'minute')

interface WaitProps {
  minutes: number
  error: string | undefined
  onChange(minutes: number): void
}

function Wait({ minutes, error, onChange }: WaitProps) {
  const [unit, setUnit] = useState(() => unitOf(minutes))
  const setMinutes = (count: number, one: Unit) => onChange(Math.round(count * UNITS[one]))
  return (
    <div className="max-w-md">
      <div className="grid grid-cols-[1fr_1fr] items-start gap-3">
        <NumberInput
          label={T.wait}
          min={Math.max(1, Math.floor(WAIT_MINUTES.min / UNITS[unit]))}
          max={WAIT_MINUTES.max / UNITS[unit]}
          value={minutes / UNITS[unit]}
          error={error}
          onChange={(value) => setMinutes(value ?? 0, unit)}
        />
        <Select
          label={T.unit}
          value={unit}
          options={T.units}
          onChange={(event) => {
            const next = event.target.value as Unit
            setUnit(next)
            setMinutes(minutes / UNITS[unit], next)
          }}
        />
      </div>
      <p className="mt-1.5 text-[0.8125rem] text-soft">{T.waitHint}</p>
    </div>
  )
}
