/** One contact: subscription, suppression, data, segments, workflows and timeline, and what can be done with it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell, BellOff, GitBranch, Send } from 'lucide-react'
import { useState } from 'react'
import { projectPage } from '../../../addresses.ts'
import { unwrap } from '../../../data/api.ts'
import { useApi, useId } from '../../../data/project.ts'
import { Moment } from '../../../figures/moment.tsx'
import { useNavigate } from '../../../links.tsx'
import { Resource } from '../../../lists/resource.tsx'
import { nameOf } from '../../../pickers/contact-name.ts'
import { Card, Page, WideActions } from '../../../shell/page.tsx'
import { RichText } from '../../../shell/rich-text.tsx'
import { Badge, Subscription } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyValue } from '../../../ui/copy.tsx'
import { MoreActions } from '../../../ui/more-actions.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { SendEmail, StartWorkflow } from '../actions.tsx'
import { texts } from '../texts.ts'
import { ContactConsents, PendingNotice } from './consents.tsx'
import { DataEditor } from './data-editor.tsx'
import { ContactSegments, ContactWorkflows } from './memberships.tsx'
import { isPaused, PauseNotice, SunsetNotice } from './stopped.tsx'
import { SuppressionNotice, useSuppression } from './suppression.tsx'
import { ContactTimeline } from './timeline.tsx'
import { ContactTopics } from './topics.tsx'

type OpenDialog = 'send' | 'workflow' | undefined

export function ContactPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const key = [projectId, 'contacts', id]
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const [dialog, setDialog] = useState<OpenDialog>()
  const query = useQuery({ queryKey: key, queryFn: () => unwrap(api.contacts.get(id)) })
  const suppression = useSuppression(query.data?.email)
  const back = { to: projectPage(projectId, 'contacts'), label: texts.title }
  const close = () => setDialog(undefined)
  const setSubscribed = async (subscribed: boolean) => {
    const { data, error } = await api.contacts.update(id, { subscribed, keepSuppression: true })
    if (error) return toast.failed(error)
    queries.setQueryData(key, data)
    void queries.invalidateQueries({ queryKey: key })
    const subscribedNow = suppression ? texts.one.subscribedSuppressed : texts.one.subscribedNow
    toast.done(subscribed ? subscribedNow : texts.one.unsubscribedNow)
  }
  const deleteContact = async () => {
    await unwrap(api.contacts.delete(id))
    toast.done(texts.one.deleted)
    await navigate(back.to, { ignoreBlocker: true })
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
              {nameOf(contact.data) && <span className="font-medium text-ink">{nameOf(contact.data)}</span>}
              <Subscription subscribed={contact.subscribed} />
              {contact.confirmation?.status === 'pending' && <Badge tone="info">{texts.pending.badge}</Badge>}
              {isPaused(contact) && <Badge tone="info">{texts.pause.badge}</Badge>}
              <span>
                <RichText text={texts.one.added} elements={{ time: () => <Moment at={contact.createdAt} /> }} />
              </span>
            </span>
          }
          actions={
            <>
              <Button kind="primary" onClick={() => setDialog('send')}>
                <Send aria-hidden /> {texts.sendEmail.title}
              </Button>
              <WideActions>
                <Button onClick={() => setDialog('workflow')}>
                  <GitBranch aria-hidden /> {texts.startWorkflow.title}
                </Button>
                <Button onClick={() => void setSubscribed(!contact.subscribed)}>
                  {contact.subscribed ? texts.one.unsubscribe : texts.one.subscribe}
                </Button>
              </WideActions>
              <MoreActions
                actions={[
                  {
                    icon: GitBranch,
                    label: texts.startWorkflow.title,
                    onlyPhone: true,
                    onSelect: () => setDialog('workflow'),
                  },
                  {
                    icon: contact.subscribed ? BellOff : Bell,
                    label: contact.subscribed ? texts.one.unsubscribe : texts.one.subscribe,
                    onlyPhone: true,
                    onSelect: () => void setSubscribed(!contact.subscribed),
                  },
                ]}
                deleteTexts={{ entry: texts.one.delete, title: texts.one.deleteTitle, action: texts.one.delete }}
                name={contact.email}
                onDelete={deleteContact}
              >
                {texts.one.deleteEffect}
              </MoreActions>
            </>
          }
        >
          {dialog === 'send' && <SendEmail contact={contact} onClose={close} />}
          {dialog === 'workflow' && <StartWorkflow contact={contact} onClose={close} />}
          <PendingNotice contact={contact} />
          <PauseNotice contact={contact} />
          <SunsetNotice contact={contact} />
          {suppression && <SuppressionNotice suppression={suppression} />}
          <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[auto_1fr]">
            <div className="min-w-0 lg:col-start-2">
              <DataEditor key={id} contact={contact} onSaved={(saved) => queries.setQueryData(key, saved)} />
            </div>
            <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
              <ContactTimeline contactId={id} />
            </div>
            <div className="min-w-0 space-y-6 lg:col-start-2">
              <ContactTopics contactId={id} subscribed={contact.subscribed} />
              <ContactSegments contactId={id} />
              <ContactWorkflows contactId={id} />
              <ContactConsents contactId={id} />
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
