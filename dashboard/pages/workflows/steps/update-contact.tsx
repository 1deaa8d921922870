/** UPDATE_CONTACT: changes the contact's data, field by field, and its subscription. */
import { Braces, UserPen } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { fieldError, Select } from '../../../ui/field.tsx'
import { type Data, formatValue } from '../../contacts/one/contact-data.ts'
import { DataFields } from '../../contacts/one/data-fields.tsx'
import { asText, configSetter, JsonInput } from './fields.tsx'
import type { Config, StepDefinition, StepFormProps } from './step.ts'
import { stepTexts } from './texts.ts'

const T = stepTexts.updateContact

function UpdateContactForm(props: StepFormProps) {
  const { config } = props.draft
  const setConfig = configSetter(props)
  const problem = problemOf(props)
  const [asJson, setAsJson] = useState(false)
  return (
    <>
      <fieldset className="space-y-1.5">
        <legend className="text-sm font-medium">{T.fields}</legend>
        <p className="text-sm text-soft">{T.hint}</p>
        {asJson ? (
          <JsonInput label={T.json} value={config.updates} onChange={(updates) => setConfig({ updates })} />
        ) : (
          <DataFields
            data={(config.updates as Data | null | undefined) ?? {}}
            forUpdate
            onChange={(updates) => setConfig({ updates })}
          />
        )}
        <Button kind="quiet" className="-ms-3.5 max-sm:-ms-3" onClick={() => setAsJson(!asJson)}>
          <Braces aria-hidden /> {asJson ? T.asFields : T.asJson}
        </Button>
        {problem && <p className="text-sm text-bad">{problem}</p>}
      </fieldset>
      <Select
        label={T.subscription}
        value={asText(config.subscribed)}
        options={T.subscriptions}
        onChange={({ target }) => setConfig({ subscribed: target.value === '' ? null : target.value === 'true' })}
      />
    </>
  )
}

/** The first problem with any of the fields. */
const problemOf = ({ error }: StepFormProps): string | undefined =>
  fieldError(error, 'config.updates') ??
  error?.errors?.find(({ field }) => field.startsWith('config.updates.'))?.message

function summary({ updates, subscribed }: Config): string {
  const changes = Object.keys((updates as object | null) ?? {})
  if (typeof subscribed === 'boolean') changes.push(subscribed ? T.subscribe : T.unsubscribe)
  return changes.join(', ') || T.noChanges
}

/** "Set stage to active, unsubscribed the contact". */
function describeOutput({ updates, subscribed }: Record<string, unknown>): string {
  const changes = Object.entries((updates as object | null) ?? {}).map(([field, value]) =>
    value === null ? T.removed(field) : T.set(field, formatValue(value)),
  )
  if (typeof subscribed === 'boolean') changes.push(subscribed ? T.subscribed : T.unsubscribed)
  const text = changes.join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const updateContact: StepDefinition = {
  title: T.title,
  icon: UserPen,
  defaultConfig: { updates: {} },
  summary,
  describeOutput,
  branches: [null],
  Form: UpdateContactForm,
}
