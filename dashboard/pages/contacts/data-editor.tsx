/** A contact's data as fields, each with an input for its type, or as JSON. Unsaved changes are kept until they are saved or discarded. */
import { Braces, Plus, Trash2 } from 'lucide-react'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import type { Schemas } from '../../api.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Input, Select } from '../../parts/field.tsx'
import { Card, Loading } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'
import { useAction } from '../../use-action.ts'
import { useDraft } from '../../use-draft.ts'
import { changesOf, parseData } from './contact-data.ts'
import { texts } from './texts.ts'

const CodeEditor = lazy(() => import('../../parts/code-editor.tsx').then((module) => ({ default: module.CodeEditor })))

type Contact = Schemas['Contact']
type Data = Record<string, unknown>

const toJson = (data: Data) => JSON.stringify(data, null, 2)

export function DataEditor({ contact, onSaved }: { contact: Contact; onSaved(contact: Contact): void }) {
  const [version, setVersion] = useState(0)
  const save = (saved: Contact) => {
    onSaved(saved)
    setVersion(version + 1)
  }
  return <Editor key={version} contact={contact} onSaved={save} onDiscard={() => setVersion(version + 1)} />
}

interface EditorProps {
  contact: Contact
  onSaved(contact: Contact): void
  onDiscard(): void
}

function Editor({ contact, onSaved, onDiscard }: EditorProps) {
  const { api } = useApi()
  const toast = useToast()
  const { run, busy, problem } = useAction()
  const [before] = useState<Data>(contact.data ?? {})
  const { draft, set, changed } = useDraft({ text: toJson(before) })
  const [asJson, setAsJson] = useState(false)
  const parsed = parseData(draft.text)
  const changes = 'data' in parsed ? changesOf(before, parsed.data) : {}
  const hasChanges = changed && ('error' in parsed || Object.keys(changes).length > 0)
  const saveData = async () => {
    const done = await run(api.contacts.update(contact.id, { data: changes }))
    if (!done) return
    toast.done(texts.one.dataSaved)
    onSaved(done.data)
  }
  return (
    <Card
      title={texts.one.data}
      flush
      actions={
        <Button kind="quiet" disabled={'error' in parsed} aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
          <Braces aria-hidden /> {asJson ? texts.dataEditor.asFields : texts.dataEditor.asJson}
        </Button>
      }
    >
      {asJson ? (
        <div className="mt-2 border-t border-line">
          <Suspense fallback={<Loading />}>
            <CodeEditor
              label={texts.one.dataEditor}
              language="json"
              start={draft.text}
              onChange={(text) => set({ text })}
            />
          </Suspense>
          {'error' in parsed && <p className="border-t border-line px-5 py-3 text-sm text-bad">{parsed.error}</p>}
        </div>
      ) : (
        'data' in parsed && <Fields data={parsed.data} onChange={(data) => set({ text: toJson(data) })} />
      )}
      {problem && (
        <div className="p-4">
          <Problem error={problem} />
        </div>
      )}
      {hasChanges && (
        <div
          data-bottom-bar
          className="sticky bottom-0 flex justify-end gap-2 rounded-b-card border-t border-line bg-card px-5 py-3"
        >
          <Button onClick={onDiscard}>{texts.dataEditor.discard}</Button>
          <Button
            kind="primary"
            shortcut="save"
            busy={busy}
            disabled={'error' in parsed}
            onClick={() => void saveData()}
          >
            {texts.one.saveData}
          </Button>
        </div>
      )}
    </Card>
  )
}

function Fields({ data, onChange }: { data: Data; onChange(data: Data): void }) {
  const remove = (name: string) => onChange(Object.fromEntries(Object.entries(data).filter(([key]) => key !== name)))
  const names = Object.keys(data)
  return (
    <div className="space-y-2 px-5 pt-1 pb-5">
      {names.length === 0 && <p className="text-sm text-soft">{texts.dataEditor.empty}</p>}
      {names.map((name) => (
        <div key={name} className="grid grid-cols-[7rem_minmax(0,1fr)_auto] items-center gap-x-2">
          <span aria-hidden className="truncate text-sm text-soft" title={name}>
            {name}
          </span>
          <FieldInput name={name} value={data[name]} onChange={(value) => onChange({ ...data, [name]: value })} />
          <IconButton label={texts.dataEditor.remove(name)} onClick={() => remove(name)}>
            <Trash2 />
          </IconButton>
        </div>
      ))}
      <AddField taken={names} onAdd={(name, value) => onChange({ ...data, [name]: value })} />
    </div>
  )
}

interface FieldInputProps {
  name: string
  value: unknown
  onChange(value: unknown): void
}

/** A field keeps the type of its value; lists and objects are edited as JSON. */
function FieldInput({ name, value, onChange }: FieldInputProps) {
  if (typeof value === 'boolean') {
    return (
      <Select
        label={name}
        hideLabel
        value={String(value)}
        options={{ true: texts.data.yes, false: texts.data.no }}
        onChange={(event) => onChange(event.target.value === 'true')}
      />
    )
  }
  if (typeof value === 'number') {
    return (
      <Input
        label={name}
        hideLabel
        type="number"
        step="any"
        value={value}
        onChange={(event) => event.target.value !== '' && onChange(event.target.valueAsNumber)}
      />
    )
  }
  if (typeof value !== 'string') {
    return <Input label={name} hideLabel readOnly hint={texts.dataEditor.onlyJson} value={JSON.stringify(value)} />
  }
  return <Input label={name} hideLabel value={value} onChange={(event) => onChange(event.target.value)} />
}

const FIRST_VALUES = { string: '', number: 0, boolean: true }
type NewType = keyof typeof FIRST_VALUES

function AddField({ taken, onAdd }: { taken: string[]; onAdd(name: string, value: unknown): void }) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [type, setType] = useState<NewType>('string')
  const isTaken = taken.includes(name.trim())
  const addField = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '' || isTaken) return
    onAdd(name.trim(), FIRST_VALUES[type])
    setName('')
    setOpen(false)
  }
  if (!open) {
    return (
      <Button kind="quiet" className="-ml-3" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> {texts.dataEditor.add}
      </Button>
    )
  }
  return (
    <form onSubmit={addField} className="flex flex-wrap items-start gap-2 rounded-part bg-panel p-3">
      <div className="min-w-32 flex-1">
        <Input
          label={texts.dataEditor.name}
          autoFocus
          value={name}
          error={isTaken ? texts.dataEditor.taken : undefined}
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      <div className="w-28">
        <Select
          label={texts.dataEditor.type}
          value={type}
          options={texts.dataEditor.types}
          onChange={(event) => setType(event.target.value as NewType)}
        />
      </div>
      <div className="flex w-full justify-end gap-2">
        <Button onClick={() => setOpen(false)}>{texts.dataEditor.cancel}</Button>
        <Button type="submit" disabled={name.trim() === '' || isTaken}>
          {texts.dataEditor.add}
        </Button>
      </div>
    </form>
  )
}
