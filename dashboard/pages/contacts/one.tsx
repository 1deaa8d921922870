/** One contact: subscription, data, timeline and deletion. */
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
import { Card, Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Resource } from '../../parts/resource.tsx'
import { RichText } from '../../parts/rich-text.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useId } from '../../project.ts'
import { useAction } from '../../use-action.ts'
import { changesOf, parseData } from './contact-data.ts'
import { SuppressionNotice, useSuppression } from './suppression.tsx'
import { texts } from './texts.ts'
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
  const query = useQuery({ queryKey: key, queryFn: () => unwrap(api.contacts.get(id)) })
  const suppression = useSuppression(query.data?.email)
  const back = { to: inProjectPath(projectId, 'contacts'), label: texts.title }
  const setSubscribed = async (subscribed: boolean) => {
    const { data, error } = await api.contacts.update(id, { subscribed, keepSuppression: true })
    if (error) return toast.failed(error)
    queries.setQueryData(key, data)
    void queries.invalidateQueries({ queryKey: [...key, 'timeline'] })
    const subscribedNow = suppression ? texts.one.subscribedSuppressed : texts.one.subscribedNow
    toast.done(subscribed ? subscribedNow : texts.one.unsubscribedNow)
  }
  const deleteContact = async () => {
    await unwrap(api.contacts.delete(id))
    toast.done(texts.one.deleted)
    await navigate({ to: back.to })
    void queries.invalidateQueries({ queryKey: [projectId] })
  }

  return (
    <Resource query={query} title={texts.one.title} back={back}>
      {(contact) => (
        <Page
          title={contact.email}
          back={back}
          lead={
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
              <Subscription subscribed={contact.subscribed} />
              <span>
                <RichText text={texts.one.added} elements={{ time: () => <Moment at={contact.createdAt} /> }} />
              </span>
            </span>
          }
          actions={
            <>
              <Button onClick={() => void setSubscribed(!contact.subscribed)}>
                {contact.subscribed ? texts.one.unsubscribe : texts.one.subscribe}
              </Button>
              <Button kind="danger" onClick={() => setDeleting(true)}>
                {texts.one.delete}
              </Button>
            </>
          }
        >
          <Confirm
            open={deleting}
            onClose={() => setDeleting(false)}
            title={texts.one.deleteTitle}
            typeToConfirm={contact.email}
            action={texts.one.delete}
            onConfirm={deleteContact}
          >
            <p>{texts.one.deleteEffect}</p>
          </Confirm>
          {suppression && <SuppressionNotice suppression={suppression} />}
          <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
            <ContactTimeline contactId={id} />
            <div className="min-w-0 space-y-6">
              <Data contact={contact} onSaved={(saved) => queries.setQueryData(key, saved)} />
              <Card title={texts.one.id}>
                <CopyValue text={contact.id} label={texts.one.copyId} />
              </Card>
            </div>
          </div>
        </Page>
      )}
    </Resource>
  )
}

function Data({ contact, onSaved }: { contact: Schemas['Contact']; onSaved(contact: Schemas['Contact']): void }) {
  const { api } = useApi()
  const toast = useToast()
  const { run, busy, problem } = useAction()
  const start = JSON.stringify(contact.data ?? {}, null, 2)
  const [text, setText] = useState(start)
  const parsed = parseData(text)
  const changes = 'data' in parsed ? changesOf(contact.data ?? {}, parsed.data) : {}
  const saveData = async () => {
    const done = await run(api.contacts.update(contact.id, { data: changes }))
    if (!done) return
    onSaved(done.data)
    setText(JSON.stringify(done.data.data ?? {}, null, 2))
    toast.done(texts.one.dataSaved)
  }
  return (
    <Card
      title={texts.one.data}
      lead={texts.one.dataLead}
      flush
      actions={
        <Button
          kind="primary"
          busy={busy}
          disabled={'error' in parsed || Object.keys(changes).length === 0}
          onClick={() => void saveData()}
        >
          {texts.one.saveData}
        </Button>
      }
    >
      <div className="border-t border-line">
        <Suspense fallback={<Loading />}>
          <CodeEditor label={texts.one.dataEditor} language="json" start={start} onChange={setText} />
        </Suspense>
      </div>
      {'error' in parsed && <p className="border-t border-line px-5 py-3 text-sm text-bad">{parsed.error}</p>}
      {problem && (
        <div className="p-4">
          <Problem error={problem} />
        </div>
      )}
    </Card>
  )
}
