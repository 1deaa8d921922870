/** A contact's data as fields, each with an input for its type, or as JSON. Unsaved changes are kept until they are saved or discarded. */
import { Braces } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Schemas } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { useAction } from '../../../data/use-action.ts'
import { useDraft } from '../../../data/use-draft.ts'
import { Problem } from '../../../lists/problem.tsx'
import { Card, Loading } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'
import { changesOf, type Data, parseData, toJson } from './contact-data.ts'
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
        <Button
          kind="quiet"
          className="-mr-3.5"
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
