/** The builder of a form, with a live preview of its page. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { projectPage } from '../../addresses.ts'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { useDebounced } from '../../data/use-debounced.ts'
import { useDraft } from '../../data/use-draft.ts'
import { useNavigate } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { EditedResource } from '../../lists/resource.tsx'
import { MailPreview } from '../../mail/mail-preview.tsx'
import { useTopics } from '../../mail/topics.tsx'
import { EventInput } from '../../pickers/event-input.tsx'
import { Card, Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, fieldError, Input, Select, TextArea } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { bodyOf, type Draft, draftOf, EMPTY_DRAFT } from './draft.ts'
import { Fields } from './fields.tsx'
import { texts } from './texts.ts'

const DEBOUNCE_MS = 350

export const NewFormPage = () => <Editor start={EMPTY_DRAFT} />

export function EditFormPage() {
  const { projectId, api } = useApi()
  return (
    <EditedResource
      of="forms"
      load={(id) => api.forms.get(id)}
      title={texts.one.title}
      back={{ to: projectPage(projectId, 'forms'), label: texts.title }}
    >
      {(form, id) => <Editor key={id} id={id} start={draftOf(form)} />}
    </EditedResource>
  )
}

function Editor({ id, start }: { id?: string; start: Draft }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const { draft, set } = useDraft(start)

  const saveForm = async () => {
    const body = cleaned(draft)
    const done = await run(id ? api.forms.update(id, body) : api.forms.create(body))
    if (!done) return
    toast.done(id ? texts.editor.saved : texts.editor.created)
    void queries.invalidateQueries({ queryKey: [projectId, 'forms'] })
    const tab = id ? {} : { tab: 'embed' }
    await navigate(projectPage(projectId, 'forms/$id', { id: done.data.id, ...tab }), { ignoreBlocker: true })
  }

  const input = (name: keyof Draft, label: string, hint?: string, rest: object = {}): ReactNode => (
    <Input
      label={label}
      {...(hint && { hint })}
      value={draft[name] as string}
      error={fieldError(error, name)}
      onChange={(event) => set({ [name]: event.target.value })}
      {...rest}
    />
  )
  const area = (name: keyof Draft, label: string, hint?: string): ReactNode => (
    <TextArea
      label={label}
      {...(hint && { hint })}
      rows={2}
      value={draft[name] as string}
      error={fieldError(error, name)}
      onChange={(event) => set({ [name]: event.target.value })}
    />
  )
  const saveButton = (
    <Button kind="primary" shortcut="save" busy={busy} onClick={() => void saveForm()}>
      {id ? texts.editor.save : texts.create}
    </Button>
  )
  const { editor } = texts
  return (
    <Page
      wide
      title={id ? start.name : editor.createTitle}
      back={
        id
          ? { to: projectPage(projectId, 'forms/$id', { id }), label: start.name }
          : { to: projectPage(projectId, 'forms'), label: texts.title }
      }
      actions={saveButton}
    >
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]">
        <div className="min-w-0 space-y-6">
          {problem && <Problem error={problem} />}
          <Card title={editor.content}>
            <div className="grid gap-4">
              {input('name', editor.name, editor.nameHint, { autoFocus: !id, maxLength: 100 })}
              {input('title', editor.heading, editor.headingHint, { maxLength: 200 })}
              {area('description', editor.description)}
              {input('buttonText', editor.button, editor.buttonHint, { maxLength: 100 })}
            </div>
          </Card>
          <Card title={editor.fields} lead={editor.fieldsLead}>
            <Fields fields={draft.fields} error={error} onChange={(fields) => set({ fields })} />
          </Card>
          <Card title={editor.subscription}>
            <div className="grid gap-4">
              <Topics draft={draft} set={set} />
              <Select
                label={editor.doubleOptIn}
                hint={editor.doubleOptInHint}
                options={editor.doubleOptIns}
                value={draft.doubleOptIn}
                onChange={(event) => set({ doubleOptIn: event.target.value as Draft['doubleOptIn'] })}
              />
              {area('consentText', editor.consent, editor.consentHint)}
            </div>
          </Card>
          <Card title={editor.after}>
            <div className="grid gap-4">
              {area('successMessage', editor.message, editor.messageHint)}
              {input('redirectUrl', editor.redirect, editor.redirectHint, { type: 'url' })}
              <EventInput
                label={editor.event}
                hint={editor.eventHint}
                value={draft.eventName}
                error={fieldError(error, 'eventName')}
                onChange={(eventName) => set({ eventName })}
              />
            </div>
          </Card>
          <Captcha
            captcha={draft.captcha}
            isStored={
              start.captcha.provider !== '' &&
              draft.captcha.provider === start.captcha.provider &&
              draft.captcha.endpoint === start.captcha.endpoint
            }
            errorOf={(name) => fieldError(error, `captcha.${name}`)}
            onChange={(captcha) => set({ captcha })}
          />
        </div>
        <Preview draft={draft} />
        <div className="sm:hidden">{saveButton}</div>
      </div>
    </Page>
  )
}

/** Without the empty lines of options. */
const cleaned = (draft: Draft) => {
  const fields = draft.fields.map((field) => ({
    ...field,
    options: field.options.map((option) => option.trim()).filter((option) => option !== ''),
  }))
  return bodyOf({ ...draft, fields })
}

function Topics({ draft, set }: { draft: Draft; set(changes: Partial<Draft>): void }) {
  const topics = useTopics()
  if (topics.length === 0) return null
  const chosen = new Set(draft.topics)
  const toggleTopic = (key: string) =>
    set({ topics: chosen.has(key) ? draft.topics.filter((each) => each !== key) : [...draft.topics, key] })
  return (
    <fieldset className="space-y-2">
      <legend className="mb-1.5 text-sm font-medium">{texts.editor.topics}</legend>
      {topics.map(({ key, name }) => (
        <Checkbox key={key} label={name} checked={chosen.has(key)} onChange={() => toggleTopic(key)} />
      ))}
      {draft.topics.length > 0 && (
        <div className="pt-2">
          <Checkbox
            label={texts.editor.chooseTopics}
            hint={texts.editor.chooseHint}
            checked={draft.chooseTopics}
            onChange={(event) => set({ chooseTopics: event.target.checked })}
          />
        </div>
      )}
    </fieldset>
  )
}

interface CaptchaProps {
  captcha: Draft['captcha']
  /** A secret key is stored, and is for this provider. */
  isStored: boolean
  errorOf(name: string): string | undefined
  onChange(captcha: Draft['captcha']): void
}

function Captcha({ captcha, isStored, errorOf, onChange }: CaptchaProps) {
  const { editor } = texts
  const keyInput = (name: 'siteKey' | 'secretKey', rest: object) => (
    <Input
      label={editor[name]}
      className="font-mono"
      spellCheck={false}
      value={captcha[name]}
      error={errorOf(name)}
      onChange={(event) => onChange({ ...captcha, [name]: event.target.value })}
      {...rest}
    />
  )
  return (
    <Card title={editor.captcha}>
      <div className="grid gap-4">
        <Select
          label={editor.captcha}
          hideLabel
          hint={editor.captchaHint}
          options={editor.captchas}
          value={captcha.provider}
          onChange={(event) => onChange({ ...captcha, provider: event.target.value, endpoint: null })}
        />
        {captcha.provider !== '' && (
          <>
            {keyInput('siteKey', { maxLength: 200 })}
            {keyInput('secretKey', {
              type: 'password',
              autoComplete: 'off',
              maxLength: 500,
              ...(isStored && { hint: editor.secretKept }),
            })}
          </>
        )}
      </div>
    </Card>
  )
}

/** Without what isn't complete yet. */
function previewed(draft: Draft) {
  const body = cleaned(draft)
  const isComplete = ({ key, label, type, options = [] }: NonNullable<typeof body.fields>[number]) =>
    key !== '' && label.trim() !== '' && (type !== 'select' || options.length > 0)
  return { ...body, name: draft.name.trim() || texts.one.title, fields: body.fields?.filter(isComplete), captcha: null }
}

function Preview({ draft }: { draft: Draft }) {
  const { projectId, api } = useApi()
  const body = useDebounced(JSON.stringify(previewed(draft)), DEBOUNCE_MS)
  const { data } = useQuery({
    queryKey: [projectId, 'form-preview', body],
    queryFn: () => unwrap(api.forms.preview(JSON.parse(body))),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    retry: false,
  })
  return (
    <section
      aria-label={texts.editor.preview}
      className="overflow-hidden rounded-card border border-line bg-card shadow-lift xl:sticky xl:top-6"
    >
      {/* A form with mistakes can't be rendered; the last one stays until they are corrected. */}
      {data && <MailPreview html={data.html} title={texts.editor.preview} trusted />}
    </section>
  )
}
