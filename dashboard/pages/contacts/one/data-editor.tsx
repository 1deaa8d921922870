/** A contact's data as fields, each with an input for its type, or as JSON. Unsaved changes are kept until they are saved or discarded. */
import { Braces } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Schemas } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { useDraft } from '../../../data/use-draft.ts'
import { Problem } from '../../../lists/problem.tsx'
import { useSave } from '../../../saving/use-save.tsx'
import { Card, Loading } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'
import { changesOf, type Data, formatValue, parseData, toJson } from './contact-data.ts'
import { DataFields } from './data-fields.tsx'

const CodeEditor = lazy(() => import('../../../ui/code-editor.tsx').then((module) => ({ default: module.CodeEditor })))

type Contact = Schemas['Contact']

export function DataEditor({ contact, onSaved }: { contact: Contact; onSaved(contact: Contact): void }) {
  const [version, setVersion] = useState(0)
  const save = (saved: Contact) => {
    onSaved(saved)
    setVersion(version + 1)
  }
  return <Editor key={version} contact={contact} onSaved={save} onDiscard={() => setVersion(version + 1)} />
}

const draftOf = ({ data }: Contact) => ({ text: toJson(data ?? {}) })

/** The data of a text that is valid; saving is disabled while it isn't. */
const dataOf = ({ text }: { text: string }): Data => {
  const parsed = parseData(text)
  return 'data' in parsed ? parsed.data : {}
}

const withoutUndefined = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined))

interface EditorProps {
  contact: Contact
  onSaved(contact: Contact): void
  onDiscard(): void
}

function Editor({ contact, onSaved, onDiscard }: EditorProps) {
  const { api } = useApi()
  const toast = useToast()
  const form = useDraft(draftOf(contact), { readAt: contact.updatedAt, follow: true })
  const { draft, base, set, changed } = form
  const [asJson, setAsJson] = useState(false)
  /** Counts how often the text was replaced from outside of its editor. */
  const [revision, setRevision] = useState(0)
  const parsed = parseData(draft.text)
  const hasChanges =
    changed && ('error' in parsed || Object.keys(changesOf(dataOf(base.saved), parsed.data)).length > 0)
  const { save, dialog, busy, problem } = useSave(form, {
    read: () => api.contacts.get(contact.id),
    save: (draft, condition, before) =>
      api.contacts.update(contact.id, { data: changesOf(dataOf(before), dataOf(draft)) }, condition),
    draftOf,
    partsOf: dataOf,
    draftFrom: (data) => ({ text: toJson(withoutUndefined(data)) }),
    labelOf: (field) => field,
    show: (_, value) => formatValue(value),
    onSaved: (saved: Contact) => {
      toast.done(texts.one.dataSaved)
      onSaved(saved)
    },
    onReplaced: () => setRevision((before) => before + 1),
  })
  return (
    <Card
      title={texts.one.data}
      flush
      actions={
        <Button
          kind="quiet"
          className="-me-3.5"
          disabled={'error' in parsed}
          aria-pressed={asJson}
          onClick={() => setAsJson(!asJson)}
        >
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
              key={`${revision} ${base.readAt}`}
              start={draft.text}
              onChange={(text) => set({ text })}
            />
          </Suspense>
          {'error' in parsed && <p className="border-t border-line px-5 py-3 text-sm text-bad">{parsed.error}</p>}
        </div>
      ) : (
        'data' in parsed && (
          <div className="px-5 pt-1 pb-5">
            <DataFields data={parsed.data} onChange={(data) => set({ text: toJson(data) })} />
          </div>
        )
      )}
      {dialog}
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
          <Button kind="primary" shortcut="save" busy={busy} disabled={'error' in parsed} onClick={() => void save()}>
            {texts.one.saveData}
          </Button>
        </div>
      )}
    </Card>
  )
}
