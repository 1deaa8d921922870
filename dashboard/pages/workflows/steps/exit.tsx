/** EXIT: ends the execution. */
import { CircleStop } from 'lucide-react'
import { fieldError, Input } from '../../../ui/field.tsx'
import { asText, configSetter } from './fields.tsx'
import type { StepDefinition, StepFormProps } from './step.ts'
import { stepTexts } from './texts.ts'

const T = stepTexts.exit

const ExitForm = (props: StepFormProps) => (
  <Input
    label={T.reason}
    placeholder={T.reasonPlaceholder}
    value={asText(props.draft.config.reason)}
    error={fieldError(props.error, 'config.reason')}
    onChange={(event) => configSetter(props)({ reason: event.target.value || null })}
  />
)

export const exit: StepDefinition = {
  title: T.title,
  icon: CircleStop,
  defaultConfig: {},
  summary: ({ reason }) => (reason ? String(reason) : T.summary),
  describeOutput: () => '',
  branches: [],
  Form: ExitForm,
}
