/** The emails and events of a contact, newest first, loaded page by page. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Mail, Upload } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { type Address, projectPage } from '../../../addresses.ts'
import { eventLabel, isFailure, isSystemEvent } from '../../../conditions/event-labels.ts'
import { type Schemas, unwrap } from '../../../data/api.ts'
import { useLiveQueries } from '../../../data/live.ts'
import { useApi } from '../../../data/project.ts'
import { Moment } from '../../../figures/moment.tsx'
import { Link } from '../../../links.tsx'
import { Problem } from '../../../lists/problem.tsx'
import { Card, Loading } from '../../../shell/page.tsx'
import { sharedTexts } from '../../../shell/texts.ts'
import { Badge, EmailStatus } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { texts } from '../texts.ts'
import { summarizeData } from './contact-data.ts'

type Item = Schemas['TimelineItem']

const PAGE_SIZE = 30

export function ContactTimeline({ contactId }: { contactId: string }) {
  const { projectId, api } = useApi()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [projectId, 'contacts', contactId, 'timeline'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => unwrap(api.contacts.timeline(contactId, { limit: PAGE_SIZE, cursor: pageParam })),
    getNextPageParam: (last) => last.cursor ?? undefined,
  })
  useLiveQueries([[projectId, 'contacts', contactId]], (item) => item.contact?.id === contactId)
  const items = data?.pages.flatMap((page) => page.data).filter((item) => !isShownByEmail(item)) ?? []
  return (
    <Card title={texts.timeline.title} lead={texts.timeline.lead}>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && items.length === 0 && <p className="text-sm text-soft">{texts.timeline.empty}</p>}
      <ol aria-label={texts.timeline.title} className="ms-2.5 border-s border-line">
        {items.map((item) => (
          <Entry key={item.id} item={item} />
        ))}
      </ol>
      {hasNextPage && (
        <Button className="mt-5" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.timeline.older}
        </Button>
      )}
    </Card>
  )
}

/** The entry of an email shows whether it was sent and delivered. */
const isShownByEmail = ({ event }: Item): boolean =>
  event !== null && event.emailId !== null && ['email.sent', 'email.delivery'].includes(event.name)

function Entry({ item }: { item: Item }) {
  const { projectId } = useApi()
  const { email, event } = item
  if (item.import) {
    const { id, createdContact } = item.import
    return (
      <Line mark={<Upload className="size-3" />} at={item.timestamp} more="">
        <Link to={projectPage(projectId, 'contacts/import', { job: id })} className="hover:underline">
          {createdContact ? texts.timeline.created : texts.timeline.changed}
        </Link>
      </Line>
    )
  }
  if (email) {
    const counts = [
      <Origin key="origin" origin={email.origin} />,
      email.opens > 0 ? texts.timeline.opens(email.opens) : '',
      email.clicks > 0 ? texts.timeline.clicks(email.clicks) : '',
    ]
    return (
      <Line
        mark={<Mail className="size-3" />}
        at={item.timestamp}
        more={separated(counts.filter((part) => part !== ''))}
      >
        <Link
          to={projectPage(projectId, 'emails/$id', { id: email.id })}
          className="font-medium wrap-anywhere hover:underline"
        >
          {email.subject || sharedTexts.noSubject}
        </Link>{' '}
        <EmailStatus status={email.status} />
      </Line>
    )
  }
  const name = event?.name ?? ''
  return (
    <Line at={item.timestamp} more={detailsOf(event)}>
      {isSystemEvent(name) ? (
        <span className={isFailure(name) ? 'text-bad' : ''}>{eventLabel(name, event?.data)}</span>
      ) : (
        <Badge tone="info">{name}</Badge>
      )}
    </Line>
  )
}

const separated = (parts: ReactNode[]) =>
  parts.map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts don't move.
    <Fragment key={i}>
      {i > 0 && ' · '}
      {part}
    </Fragment>
  ))

/** Why an email was sent. */
function Origin({ origin }: { origin: NonNullable<Item['email']>['origin'] }) {
  const { projectId } = useApi()
  const { type, campaign, workflow, step, key } = origin
  const T = texts.timeline
  const link = (to: Address, name: string) => (
    <Link to={to} className="hover:underline">
      {sharedTexts.quoted(name)}
    </Link>
  )
  return (
    <>
      {T.sentBy[type]}
      {campaign && ' '}
      {campaign &&
        (campaign.name === null
          ? `(${T.deleted})`
          : link(projectPage(projectId, 'campaigns/$id', { id: campaign.id }), campaign.name))}
      {workflow && ' '}
      {workflow &&
        link(
          projectPage(projectId, 'workflows/$id/executions/$executionId', {
            id: workflow.id,
            executionId: workflow.executionId,
          }),
          workflow.name,
        )}
      {step?.name && `, ${T.step(step.name)}`}
      {key && `, ${T.key(key.name)}`}
    </>
  )
}

/** An event of an email shows its link, reason or subject; other events show their data. */
function detailsOf(event: Item['event']): string {
  if (event?.name.startsWith('segment.')) return ''
  const { subject, link, reason, error } = event?.data ?? {}
  const detail = link ?? reason ?? (event?.emailId ? error : undefined) ?? (event?.emailId ? subject : undefined)
  return typeof detail === 'string' ? detail : summarizeData(event?.data ?? null)
}

interface LineProps {
  mark?: ReactNode
  at: string
  more: ReactNode
  children: ReactNode
}

const Line = ({ mark, at, more, children }: LineProps) => (
  <li className="relative pb-4 ps-6 text-sm last:pb-0">
    <span
      aria-hidden
      className={`absolute top-0.5 flex items-center justify-center rounded-full ${mark ? '-start-2.5 size-5 bg-accent-wash text-accent' : 'top-2 -start-1 size-2 bg-line-strong'}`}
    >
      {mark}
    </span>
    <div className="flex items-baseline justify-between gap-x-4">
      <span className="min-w-0">{children}</span>
      <span className="shrink-0 text-[0.8125rem] text-soft">
        <Moment at={at} relative />
      </span>
    </div>
    {more && <p className="line-clamp-2 text-[0.8125rem] text-soft wrap-anywhere">{more}</p>}
  </li>
)
