/** UPDATE_CONTACT: changes the contact's data and subscription. */
import { UserPen } from 'lucide-react'
import { fieldError, Select } from '../../../parts/field.tsx'
import { asText, configSetter, JsonInput } from './fields.tsx'
import type { Config, StepDefinition, StepFormProps } from './step.ts'

function UpdateContactForm(props: StepFormProps) {
  const { config } = props.draft
  const setConfig = configSetter(props)
  return (
    <>
      <JsonInput
        label="Data to set (JSON)"
        hint={'For example { "stage": "active", "welcomed": "{{event.at}}" }'}
        value={config.updates}
        error={fieldError(props.error, 'config.updates')}
        onChange={(updates) => setConfig({ updates })}
      />
      <Select
        label="Subscription"
        value={asText(config.subscribed)}
        options={{ '': 'Unchanged', true: 'Subscribe', false: 'Unsubscribe' }}
        onChange={({ target }) => setConfig({ subscribed: target.value === '' ? null : target.value === 'true' })}
      />
    </>
  )
}

function summary({ updates, subscribed }: Config): string {
  const changes = Object.keys((updates as object | null) ?? {})
  if (typeof subscribed === 'boolean') changes.push(subscribed ? 'subscribe' : 'unsubscribe')
  return changes.join(', ') || 'No changes yet'
}

export const updateContact: StepDefinition = {
  title: 'Update the contact',
  icon: UserPen,
  defaultConfig: { updates: {} },
  summary,
  branches: [null],
  Form: UpdateContactForm,
}
