/** The settings of a step, a form for each kind. What the API refuses is told at the field. */
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type PosthornError, unwrap } from '../../api.ts'
import type { Condition } from '../../parts/condition.ts'
import { ConditionEditor } from '../../parts/condition-editor.tsx'
import { fieldError, Input, Select, TextArea } from '../../parts/field.tsx'
import { useApi } from '../../project.ts'
import { type Config, type StepType, secondsInWords } from './steps.ts'

export interface StepDraft {
  type: StepType
  name: string
  config: Config
  templateId: string | null
}

interface FieldsProps {
  draft: StepDraft
  error: PosthornError | null
  /** The event that starts the workflow. */
  event: string | null
  set(changes: Partial<StepDraft>): void
}

export function StepFields(props: FieldsProps) {
  const Fields = FORMS[props.draft.type]
  return <Fields {...props} />
}

const configSetter =
  ({ draft, set }: FieldsProps) =>
  (changes: Config) =>
    set({ config: { ...draft.config, ...changes } })

const text = (value: unknown) => (value === undefined || value === null ? '' : String(value))
const numberFrom = (words: string) => (words === '' ? undefined : Number(words))

function EmailFields(props: FieldsProps) {
  const { draft, error, set } = props
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'templates', 'to-start-from'],
    queryFn: async () => (await unwrap(api.templates.list({ pageSize: 100, sort: 'updatedAt' }))).data,
  })
  const recipient = (draft.config.recipient ?? { type: 'CONTACT' }) as { type: string; customEmail?: string }
  const setConfig = configSetter(props)
  return (
    <>
      <Select
        label="Template"
        value={draft.templateId ?? ''}
        options={{ '': 'Choose one', ...Object.fromEntries((data ?? []).map(({ id, name }) => [id, name])) }}
        error={fieldError(error, 'templateId')}
        hint={data?.length === 0 ? 'Write a template first.' : undefined}
        onChange={(event) => set({ templateId: event.target.value || null })}
      />
      <Select
        label="To"
        value={recipient.type}
        options={{ CONTACT: 'The contact', CUSTOM: 'Another address' }}
        onChange={(event) => setConfig({ recipient: { ...recipient, type: event.target.value } })}
      />
      {recipient.type === 'CUSTOM' && (
        <Input
          label="Address"
          hint="May hold Liquid: {{manager}}"
          value={recipient.customEmail ?? ''}
          error={fieldError(error, 'config.recipient.customEmail')}
          onChange={(event) => setConfig({ recipient: { ...recipient, customEmail: event.target.value } })}
        />
      )}
    </>
  )
}

function DelayFields(props: FieldsProps) {
  const { config } = props.draft
  const setConfig = configSetter(props)
  return (
    <div className="grid grid-cols-2 gap-3">
      <Input
        label="How long"
        type="number"
        step="any"
        min={0}
        value={text(config.amount)}
        error={fieldError(props.error, 'config.amount')}
        onChange={(event) => setConfig({ amount: numberFrom(event.target.value) })}
      />
      <Select
        label="Unit"
        value={text(config.unit)}
        options={{ minutes: 'minutes', hours: 'hours', days: 'days' }}
        onChange={(event) => setConfig({ unit: event.target.value })}
      />
    </div>
  )
}

/** A name of an event, with those that happened before to choose from. */
export function EventInput(props: { label: string; value: string; error?: string; onChange(name: string): void }) {
  const { projectId, api } = useApi()
  const list = useId()
  const { data: names } = useQuery({
    queryKey: [projectId, 'events', 'names'],
    queryFn: async () => (await unwrap(api.events.names())).names,
  })
  return (
    <>
      <Input
        label={props.label}
        list={list}
        placeholder="signed-up"
        autoComplete="off"
        spellCheck={false}
        value={props.value}
        error={props.error}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <datalist id={list}>
        {names?.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

const HOUR_SECONDS = 3_600

function WaitFields(props: FieldsProps) {
  const { config } = props.draft
  const setConfig = configSetter(props)
  const timeout = typeof config.timeout === 'number' ? config.timeout : undefined
  return (
    <>
      <EventInput
        label="Event"
        value={text(config.eventName)}
        error={fieldError(props.error, 'config.eventName')}
        onChange={(eventName) => setConfig({ eventName })}
      />
      <Input
        label="Wait at most, in hours"
        type="number"
        step="any"
        min={0}
        placeholder="For ever"
        hint={timeout ? `${secondsInWords(timeout)}. Then it goes on by “no”.` : 'Without an end.'}
        value={timeout === undefined ? '' : timeout / HOUR_SECONDS}
        error={fieldError(props.error, 'config.timeout')}
        onChange={(event) =>
          setConfig({
            timeout: event.target.value === '' ? null : Math.round(Number(event.target.value) * HOUR_SECONDS),
          })
        }
      />
    </>
  )
}

/** One filter alone may stand for a tree. */
const asTree = (config: Config): Condition =>
  'groups' in config
    ? (config as unknown as Condition)
    : { logic: 'AND', groups: [{ filters: [config as unknown as Condition['groups'][number]['filters'][number]] }] }

const ConditionFields = ({ draft, error, event, set }: FieldsProps) => (
  <ConditionEditor
    condition={asTree(draft.config)}
    event={event}
    error={error}
    path="config"
    onChange={(condition) => set({ config: { ...condition } })}
  />
)

function WebhookFields(props: FieldsProps) {
  const { config } = props.draft
  const setConfig = configSetter(props)
  return (
    <>
      <Input
        label="Address"
        type="url"
        placeholder="https://example.com/hook"
        value={text(config.url)}
        error={fieldError(props.error, 'config.url')}
        onChange={(event) => setConfig({ url: event.target.value })}
      />
      <Select
        label="Method"
        value={text(config.method ?? 'POST')}
        options={Object.fromEntries(['POST', 'PUT', 'PATCH', 'GET', 'DELETE'].map((method) => [method, method]))}
        onChange={(event) => setConfig({ method: event.target.value })}
      />
      <JsonInput
        label="Headers, JSON"
        value={config.headers}
        error={fieldError(props.error, 'config.headers')}
        onChange={(headers) => setConfig({ headers })}
      />
      <JsonInput
        label="Body, JSON"
        hint="Left empty: the contact, the workflow, the execution and the event."
        value={config.body}
        onChange={(body) => setConfig({ body })}
      />
    </>
  )
}

function UpdateFields(props: FieldsProps) {
  const { config } = props.draft
  const setConfig = configSetter(props)
  return (
    <>
      <JsonInput
        label="Data to set, JSON"
        hint={'{ "stage": "active", "welcomed": "{{event.at}}" }'}
        value={config.updates}
        error={fieldError(props.error, 'config.updates')}
        onChange={(updates) => setConfig({ updates })}
      />
      <Select
        label="Subscription"
        value={text(config.subscribed)}
        options={{ '': 'As it is', true: 'Subscribe', false: 'Unsubscribe' }}
        onChange={({ target }) => setConfig({ subscribed: target.value === '' ? null : target.value === 'true' })}
      />
    </>
  )
}

const ExitFields = (props: FieldsProps) => (
  <Input
    label="Reason"
    placeholder="Shown with the execution"
    value={text(props.draft.config.reason)}
    error={fieldError(props.error, 'config.reason')}
    onChange={(event) => configSetter(props)({ reason: event.target.value || null })}
  />
)

const FORMS: Record<StepType, (props: FieldsProps) => React.ReactNode> = {
  SEND_EMAIL: EmailFields,
  DELAY: DelayFields,
  WAIT_FOR_EVENT: WaitFields,
  CONDITION: ConditionFields,
  WEBHOOK: WebhookFields,
  UPDATE_CONTACT: UpdateFields,
  EXIT: ExitFields,
}

interface JsonProps {
  label: string
  hint?: string
  value: unknown
  error?: string
  onChange(value: unknown): void
}

/** JSON typed as text; until it can be read, nothing changes and it says so. */
export function JsonInput({ label, hint, value, error, onChange }: JsonProps) {
  const [words, setWords] = useState(() =>
    value === undefined || value === null ? '' : JSON.stringify(value, null, 2),
  )
  const [broken, setBroken] = useState(false)
  const types = (typed: string) => {
    setWords(typed)
    try {
      onChange(typed.trim() === '' ? null : JSON.parse(typed))
      setBroken(false)
    } catch {
      setBroken(true)
    }
  }
  return (
    <TextArea
      label={label}
      hint={hint}
      rows={4}
      spellCheck={false}
      className="font-mono text-[0.8125rem]"
      value={words}
      error={broken ? 'This is not JSON yet.' : error}
      onChange={(event) => types(event.target.value)}
    />
  )
}
