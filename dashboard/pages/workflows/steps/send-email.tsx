/** SEND_EMAIL: sends a template to the contact or to another address. */
import { Mail } from 'lucide-react'
import { type Address, projectPage } from '../../../addresses.ts'
import { useApi } from '../../../data/project.ts'
import { Link } from '../../../links.tsx'
import { TemplatePicker } from '../../../pickers/template-picker.tsx'
import { Checkbox, fieldError, Input, Select } from '../../../ui/field.tsx'
import { CurrentVersion } from '../../versions/template-version.tsx'
import { configSetter } from './fields.tsx'
import { WindowFields } from './schedule.tsx'
import type { Config, StepDefinition, StepFormProps } from './step.ts'
import { stepTexts } from './texts.ts'

const { sendEmail: T, schedule } = stepTexts
const WORKING_HOURS: Config = { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00', timezone: 'contact' }

function SendEmailForm(props: StepFormProps) {
  const { draft, error, set } = props
  const { projectId } = useApi()
  const recipient = (draft.config.recipient ?? { type: 'CONTACT' }) as { type: string; customEmail?: string }
  const window = (draft.config.window ?? undefined) as Config | undefined
  const setConfig = configSetter(props)
  return (
    <>
      <TemplatePicker
        label={T.template}
        value={draft.templateId ?? ''}
        error={fieldError(error, 'templateId')}
        onChoose={(templateId) => set({ templateId: templateId || null })}
      />
      {draft.templateId && <CurrentVersion templateId={draft.templateId} />}
      <p className="flex gap-4 text-sm">
        {draft.templateId && (
          <TemplateLink to={projectPage(projectId, 'templates/$id', { id: draft.templateId })}>
            {T.editTemplate}
          </TemplateLink>
        )}
        <TemplateLink to={projectPage(projectId, 'templates/new')}>{T.createTemplate}</TemplateLink>
      </p>
      <Select
        label={T.recipient}
        value={recipient.type}
        options={T.recipients}
        onChange={(event) => setConfig({ recipient: { ...recipient, type: event.target.value } })}
      />
      {recipient.type === 'CUSTOM' && (
        <Input
          label={T.address}
          hint={T.addressHint}
          value={recipient.customEmail ?? ''}
          error={fieldError(error, 'config.recipient.customEmail')}
          onChange={(event) => setConfig({ recipient: { ...recipient, customEmail: event.target.value } })}
        />
      )}
      <Checkbox
        label={schedule.onlyDuring}
        hint={schedule.onlyDuringHint}
        checked={window !== undefined}
        onChange={(event) => setConfig({ window: event.target.checked ? WORKING_HOURS : null })}
      />
      {window && (
        <WindowFields
          window={window}
          error={error}
          onChange={(changes) => setConfig({ window: { ...window, ...changes } })}
        />
      )}
    </>
  )
}

const TemplateLink = ({ to, children }: { to: Address; children: string }) => (
  <Link to={to} className="font-medium text-accent underline">
    {children}
  </Link>
)

export const sendEmail: StepDefinition = {
  title: T.title,
  icon: Mail,
  defaultConfig: {},
  summary: ({ window }) => (window ? schedule.inWindow : T.summary),
  describeOutput: ({ to, reason }) => (!to ? '' : reason ? T.notSent(String(to), String(reason)) : T.sent(String(to))),
  branches: [null],
  Form: SendEmailForm,
}
