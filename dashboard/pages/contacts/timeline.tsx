/** What was sent to a contact and what they did, newest first; older things come by the page. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Mail } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Badge, EmailStatus } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { countWords } from '../../parts/count-words.ts'
import { eventWords, isBad, isOurs } from '../../parts/event-words.ts'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useApi } from '../../project.ts'
import { dataInWords } from './data-words.ts'

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
  const items = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <Card title="Timeline" lead="Emails and events, newest first.">
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && items.length === 0 && (
        <p className="text-sm text-soft">Nothing was sent, and nothing has happened yet.</p>
      )}
      <ol aria-label="Timeline" className="border-l border-line">
        {items.map((item) => (
          <Entry key={item.id} item={item} />
        ))}
      </ol>
      {hasNextPage && (
        <Button className="mt-5" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older
        </Button>
      )}
    </Card>
  )
}

function Entry({ item }: { item: Item }) {
  const { projectId } = useApi()
  const { email, event } = item
  if (email) {
    const counts = [email.opens && countWords(email.opens, 'open'), email.clicks && countWords(email.clicks, 'click')]
    return (
      <Line mark={<Mail className="size-3" />} at={item.timestamp} more={counts.filter(Boolean).join(', ')}>
        <Link to={inProjectPath(projectId, `emails/${email.id}`)} className="font-medium wrap-anywhere hover:underline">
          {email.subject || '(no subject)'}
        </Link>{' '}
        <EmailStatus status={email.status} />
      </Line>
    )
  }
  const name = event?.name ?? ''
  return (
    <Line at={item.timestamp} more={moreWords(event)}>
      {isOurs(name) ? (
        <span className={isBad(name) ? 'text-bad' : ''}>{eventWords(name)}</span>
      ) : (
        <Badge tone="info">{name}</Badge>
      )}
    </Line>
  )
}

/** An event of an email tells most by the email's name; others by what came with them. */
function moreWords(event: Item['event']): string {
  const { subject, link, reason } = event?.data ?? {}
  const telling = link ?? reason ?? (event?.emailId ? subject : undefined)
  return typeof telling === 'string' ? telling : dataInWords(event?.data ?? null)
}

interface LineProps {
  mark?: ReactNode
  at: string
  more: string
  children: ReactNode
}

const Line = ({ mark, at, more, children }: LineProps) => (
  <li className="relative pb-4 pl-6 text-sm last:pb-0">
    <span
      aria-hidden
      className={`absolute top-0.5 flex items-center justify-center rounded-full ${mark ? '-left-2.5 size-5 bg-accent-wash text-accent' : 'top-2 -left-1 size-2 bg-line-strong'}`}
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
