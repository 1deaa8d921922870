/** WEBHOOK: sends an HTTP request. */
import { Webhook } from 'lucide-react'
import { formatNumber } from '../../../figures/format.ts'
import { fieldError, Input, Select } from '../../../ui/field.tsx'
import { asText, configSetter, JsonInput } from './fields.tsx'
import type { StepDefinition, StepFormProps } from './step.ts'
import { stepTexts } from './texts.ts'

const T = stepTexts.webhook

const METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE']

function WebhookForm(props: StepFormProps) {
  const { config } = props.draft
  const setConfig = configSetter(props)
  return (
    <>
      <Input
        label={T.url}
        type="url"
        placeholder="https://example.com/hook"
        value={asText(config.url)}
        error={fieldError(props.error, 'config.url')}
        onChange={(event) => setConfig({ url: event.target.value })}
      />
      <Select
        label={T.method}
        value={asText(config.method ?? 'POST')}
        options={Object.fromEntries(METHODS.map((method) => [method, method]))}
        onChange={(event) => setConfig({ method: event.target.value })}
      />
      <JsonInput
        label={T.headers}
        value={config.headers}
        error={fieldError(props.error, 'config.headers')}
        onChange={(headers) => setConfig({ headers })}
      />
      <JsonInput label={T.body} hint={T.bodyHint} value={config.body} onChange={(body) => setConfig({ body })} />
    </>
  )
}

export const webhook: StepDefinition = {
  title: T.title,
  icon: Webhook,
  defaultConfig: { url: '', method: 'POST' },
  summary: ({ method, url }) => `${method ?? 'POST'} ${url}`,
  describeOutput: ({ statusCode, durationMs }) =>
    statusCode ? T.output(Number(statusCode), formatNumber(Number(durationMs))) : '',
  branches: [null],
  Form: WebhookForm,
}
