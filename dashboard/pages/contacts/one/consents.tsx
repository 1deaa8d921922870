/** The record of consent of a contact as a timeline, and its confirmation if that is pending. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Clock, Download } from 'lucide-react'
import { type Schemas, unwrap } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { useAction } from '../../../data/use-action.ts'
import { Moment } from '../../../figures/moment.tsx'
import { Problem } from '../../../lists/problem.tsx'
import { Card, Loading } from '../../../shell/page.tsx'
import { RichText } from '../../../shell/rich-text.tsx'
import { keyName } from '../../../shell/texts.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'

type Consent = Schemas['Consent']

const PAGE_SIZE = 10

const TONES: Record<Consent['kind'], Tone> = {
  subscribed: 'good',
  unsubscribed: 'neutral',
  'topic.subscribed': 'good',
  'topic.unsubscribed': 'neutral',
  'confirmation.requested': 'info',
  confirmed: 'good',
}

export function ContactConsents({ contactId }: { contactId: string }) {
  const { projectId, api } = useApi()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [projectId, 'contacts', contactId, 'consents'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => unwrap(api.contacts.listConsents(contactId, { limit: PAGE_SIZE, cursor: pageParam })),
    getNextPageParam: (last) => last.cursor ?? undefined,
  })
  const consents = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <Card title={texts.consents.title} actions={<ExportPerson contactId={contactId} />}>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && consents.length === 0 && <p className="text-sm text-soft">{texts.consents.empty}</p>}
      <ol aria-label={texts.consents.title} className="space-y-4 text-sm">
        {consents.map((consent) => (
          <Entry key={consent.id} consent={consent} />
        ))}
      </ol>
      {hasNextPage && (
        <Button className="mt-5" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.consents.older}
        </Button>
      )}
    </Card>
  )
}

function Entry({ consent: { at, kind, topic, source, ip, text, by } }: { consent: Consent }) {
  const details = [texts.consents.sources[source], by?.name && keyName(by.name), ip].filter(Boolean).join(' · ')
  return (
    <li className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={TONES[kind]}>{texts.consents.kinds[kind]}</Badge>
        {topic && <span className="truncate">{topic}</span>}
        <span className="text-soft">
          <Moment at={at} />
        </span>
      </p>
      <p className="mt-1 break-words text-soft">{details}</p>
      {text && <blockquote className="mt-1 border-s-2 border-line ps-3 break-words">{text}</blockquote>}
    </li>
  )
}

function ExportPerson({ contactId }: { contactId: string }) {
  const { api } = useApi()
  const { run, busy } = useAction()
  const downloadData = async () => {
    const done = await run(api.contacts.exportPerson(contactId))
    if (!done) return
    const url = URL.createObjectURL(new Blob([JSON.stringify(done.data, null, 2)], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `contact-${contactId}.json`
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <Button kind="quiet" className="-me-3.5" busy={busy} onClick={() => void downloadData()}>
      <Download aria-hidden /> {texts.consents.download}
    </Button>
  )
}

/** For a contact that has been asked to confirm its subscription. */
export function PendingNotice({ contact }: { contact: Schemas['Contact'] }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, problem } = useAction()
  if (contact.confirmation?.status !== 'pending') return null
  const sendAgain = async () => {
    if (!(await run(api.contacts.requestConfirmation(contact.id)))) return
    toast.done(texts.pending.sent)
    void queries.invalidateQueries({ queryKey: [projectId, 'contacts', contact.id] })
  }
  const { requestedAt } = contact.confirmation
  return (
    <section
      aria-label={texts.pending.title}
      className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-panel px-5 py-4 text-sm"
    >
      <Clock className="size-5 shrink-0 text-soft" aria-hidden />
      <div className="min-w-0 flex-1 basis-72">
        <p className="font-medium">{texts.pending.title}</p>
        <p>
          <RichText text={texts.pending.since} elements={{ time: () => <Moment at={requestedAt} /> }} />
        </p>
        {problem && <Problem error={problem} />}
      </div>
      <Button busy={busy} onClick={() => void sendAgain()}>
        {texts.pending.sendAgain}
      </Button>
    </section>
  )
}
