/** WEBHOOK: sends an HTTP request. */
import { Webhook } from 'lucide-react'
import { formatNumber } from '../../../figures/format.ts'
import { fieldError, Input, Select } from '../../../ui/field.tsx'
import { asText, configSetter, JsonInput } from './fields.tsx'
import type { StepDefinition, StepFormProps } from './step.ts'

const METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE']

function WebhookForm(props: StepFormProps) {
  const { config } = props.draft
  const setConfig = configSetter(props)
  return (
    <>
      <Input
        label="URL"
        type="url"
        placeholder="https://example.com/hook"
        value={asText(config.url)}
        error={fieldError(props.error, 'config.url')}
        onChange={(event) => setConfig({ url: event.target.value })}
      />
      <Select
        label="Method"
        value={asText(config.method ?? 'POST')}
        options={Object.fromEntries(METHODS.map((method) => [method, method]))}
        onChange={(event) => setConfig({ method: event.target.value })}
      />
      <JsonInput
        label="Headers (JSON)"
        value={config.headers}
        error={fieldError(props.error, 'config.headers')}
        onChange={(headers) => setConfig({ headers })}
      />
      <JsonInput
        label="Body (JSON)"
        hint="If empty, Posthorn sends the contact, workflow, execution and event."
        value={config.body}
        onChange={(body) => setConfig({ body })}
      />
    </>
  )
}

export const webhook: StepDefinition = {
  title: 'Call a webhook',
  icon: Webhook,
  defaultConfig: { url: '', method: 'POST' },
  summary: ({ method, url }) => `${method ?? 'POST'} ${url}`,
  describeOutput: ({ statusCode, durationMs }) =>
    statusCode ? `Status ${statusCode} after ${formatNumber(Number(durationMs))} ms` : '',
  branches: [null],
  Form: WebhookForm,
}
