/** One contact: the subscription, the data, what happened, and the way out. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Subscription } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CopyValue } from '../../parts/copy.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Opened } from '../../parts/opened.tsx'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useId } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import { changesOf, readData } from './data-words.ts'
import { ContactTimeline } from './timeline.tsx'

const CodeEditor = lazy(() => import('../../parts/code-editor.tsx').then((module) => ({ default: module.CodeEditor })))

export function ContactPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const key = [projectId, 'contacts', id]
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const [deleting, setDeleting] = useState(false)
  const asked = useQuery({ queryKey: key, queryFn: () => unwrap(api.contacts.get(id)) })
  const back = { to: inProjectPath(projectId, 'contacts'), words: 'Contacts' }
  const subscribe = async (subscribed: boolean) => {
    const { data, error } = await api.contacts.update(id, { subscribed })
    if (error) return toast.failed(error)
    queries.setQueryData(key, data)
    void queries.invalidateQueries({ queryKey: [...key, 'timeline'] })
    toast.done(subscribed ? 'Subscribed.' : 'Unsubscribed.')
  }
  const remove = async () => {
    await unwrap(api.contacts.delete(id))
    toast.done('Contact deleted.')
    await navigate({ to: back.to })
    void queries.invalidateQueries({ queryKey: [projectId] })
  }

  return (
    <Opened asked={asked} title="Contact" back={back}>
      {(contact) => (
        <Page
          title={contact.email}
          back={back}
          lead={
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
              <Subscription subscribed={contact.subscribed} />
              <span>
                Added <Moment at={contact.createdAt} />
              </span>
            </span>
          }
          actions={
            <>
              <Button onClick={() => void subscribe(!contact.subscribed)}>
                {contact.subscribed ? 'Unsubscribe' : 'Subscribe'}
              </Button>
              <Button kind="danger" onClick={() => setDeleting(true)}>
                Delete
              </Button>
            </>
          }
        >
          <Confirm
            open={deleting}
            onClose={() => setDeleting(false)}
            title="Delete this contact?"
            name={contact.email}
            act="Delete the contact"
            onAct={remove}
          >
            <p>
              The contact and everything known about it is deleted for good. Emails already sent stay in the ledger.
            </p>
          </Confirm>
          <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
            <ContactTimeline contactId={id} />
            <div className="min-w-0 space-y-6">
              <Data contact={contact} onSaved={(saved) => queries.setQueryData(key, saved)} />
              <Card title="Identifier">
                <CopyValue text={contact.id} label="Copy the id" />
              </Card>
            </div>
          </div>
        </Page>
      )}
    </Opened>
  )
}

function Data({ contact, onSaved }: { contact: Schemas['Contact']; onSaved(contact: Schemas['Contact']): void }) {
  const { api } = useApi()
  const toast = useToast()
  const { act, busy, problem } = useAct()
  const start = JSON.stringify(contact.data ?? {}, null, 2)
  const [text, setText] = useState(start)
  const read = readData(text)
  const changes = 'data' in read ? changesOf(contact.data ?? {}, read.data) : {}
  const saves = async () => {
    const done = await act(api.contacts.update(contact.id, { data: changes }))
    if (!done) return
    onSaved(done.data)
    setText(JSON.stringify(done.data.data ?? {}, null, 2))
    toast.done('Data saved.')
  }
  return (
    <Card
      title="Data"
      lead="For templates and segments."
      flush
      actions={
        <Button
          kind="primary"
          busy={busy}
          disabled={'wrong' in read || Object.keys(changes).length === 0}
          onClick={() => void saves()}
        >
          Save data
        </Button>
      }
    >
      <div className="border-t border-line">
        <Suspense fallback={<Loading />}>
          <CodeEditor label="Data as JSON" language="json" start={start} onChange={setText} />
        </Suspense>
      </div>
      {'wrong' in read && <p className="border-t border-line px-5 py-3 text-sm text-bad">{read.wrong}</p>}
      {problem && (
        <div className="p-4">
          <Problem error={problem} />
        </div>
      )}
    </Card>
  )
}
