/** EXIT: ends the execution. */
import { CircleStop } from 'lucide-react'
import { fieldError, Input } from '../../../ui/field.tsx'
import { asText, configSetter } from './fields.tsx'
import type { StepDefinition, StepFormProps } from './step.ts'

const ExitForm = (props: StepFormProps) => (
  <Input
    label="Reason"
    placeholder="Shown on the execution page"
    value={asText(props.draft.config.reason)}
    error={fieldError(props.error, 'config.reason')}
    onChange={(event) => configSetter(props)({ reason: event.target.value || null })}
  />
)

export const exit: StepDefinition = {
  title: 'Exit',
  icon: CircleStop,
  defaultConfig: {},
  summary: ({ reason }) => (reason ? String(reason) : 'Ends the execution'),
  describeOutput: () => '',
  branches: [],
  Form: ExitForm,
}
