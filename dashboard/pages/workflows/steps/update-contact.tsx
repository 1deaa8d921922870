/** UPDATE_CONTACT: changes the contact's data and subscription. */
import { UserPen } from 'lucide-react'
import { fieldError, Select } from '../../../ui/field.tsx'
import { formatValue } from '../../contacts/one/contact-data.ts'
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

/** "Set stage to active, unsubscribed the contact". */
function describeOutput({ updates, subscribed }: Record<string, unknown>): string {
  const changes = Object.entries((updates as object | null) ?? {}).map(([field, value]) =>
    value === null ? `removed ${field}` : `set ${field} to ${formatValue(value)}`,
  )
  if (typeof subscribed === 'boolean') changes.push(subscribed ? 'subscribed the contact' : 'unsubscribed the contact')
  const text = changes.join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const updateContact: StepDefinition = {
  title: 'Update the contact',
  icon: UserPen,
  defaultConfig: { updates: {} },
  summary,
  describeOutput,
  branches: [null],
  Form: UpdateContactForm,
}
