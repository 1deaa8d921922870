/** The fields of one variant: its name, and what differs from the campaign. */
import type { PosthornError } from '../../../data/api.ts'
import { RemoveButton } from '../../../ui/button.tsx'
import { fieldError, Input } from '../../../ui/field.tsx'
import type { Part, VariantDraft } from './draft.ts'
import { experimentTexts } from './texts.ts'

const T = experimentTexts.setup

export interface CampaignFields {
  subject: string
  from: string
  fromName: string
  preheader: string
}

interface VariantFieldsProps {
  index: number
  variant: VariantDraft
  parts: Part[]
  campaign: CampaignFields
  error: PosthornError | null
  onChange(changes: Partial<VariantDraft>): void
  /** Absent if there would be too few variants. */
  onRemove: (() => void) | undefined
}

export function VariantFields({ index, variant, parts, campaign, error, onChange, onRemove }: VariantFieldsProps) {
  const input = (label: string, name: keyof CampaignFields, more = {}) => (
    <Input
      label={label}
      hint={variant[name] === '' ? T.asCampaign : undefined}
      placeholder={campaign[name]}
      value={variant[name]}
      error={fieldError(error, `experiment.variants.${index}.${name}`)}
      onChange={(event) => onChange({ [name]: event.target.value })}
      {...more}
    />
  )
  return (
    <fieldset className="rounded-part border border-line p-4">
      <legend className="sr-only">{T.variant(variant.name)}</legend>
      <div className="flex items-start gap-3">
        <div className="grid min-w-0 flex-1 gap-4 lg:grid-cols-[8rem_minmax(0,1fr)]">
          <Input
            label={T.name}
            maxLength={100}
            value={variant.name}
            error={fieldError(error, `experiment.variants.${index}.name`)}
            onChange={(event) => onChange({ name: event.target.value })}
          />
          <div className="grid min-w-0 gap-4 sm:grid-cols-2 empty:hidden">
            {parts.includes('subject') && input(T.subject, 'subject')}
            {parts.includes('preheader') && input(T.preheader, 'preheader', { maxLength: 500 })}
            {parts.includes('sender') && (
              <>
                {input(T.fromName, 'fromName')}
                {input(T.from, 'from', { type: 'email' })}
              </>
            )}
          </div>
        </div>
        {onRemove && (
          <div className="pt-6.5">
            <RemoveButton label={T.removeVariant(variant.name)} onClick={onRemove} />
          </div>
        )}
      </div>
    </fieldset>
  )
}
