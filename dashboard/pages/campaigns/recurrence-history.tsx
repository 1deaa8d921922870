/** What a recurring campaign has sent, and when it sends next. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { Moment } from '../../figures/moment.tsx'
import { Link } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Cell, Row, Table } from '../../lists/table.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { texts } from './texts.ts'

const T = texts.recurrence
const SHOWN = 20

interface StateProps {
  campaignId: string
  recurrence: Schemas['Recurrence']
}

export function RecurrenceState({ campaignId, recurrence }: StateProps) {
  const { status, nextAt, sentCount, lastOccurrence: last } = recurrence
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="space-y-1.5 text-sm">
      <p>
        {nextAt ? <RichText text={T.next} elements={{ time: () => <Moment at={nextAt} /> }} /> : T.states[status]}{' '}
        {T.sent(sentCount)}
      </p>
      {last && (
        <>
          <p className="text-soft">
            <RichText text={T.last} elements={{ time: () => <Moment at={last.at} /> }} /> <Outcome occurrence={last} />
          </p>
          <div className="pt-1.5">
            <Button onClick={() => setOpen(true)}>{T.history}</Button>
          </div>
        </>
      )}
      <Dialog wide disposable open={isOpen} onClose={() => setOpen(false)} title={T.history} lead={T.historyLead}>
        <History campaignId={campaignId} />
      </Dialog>
    </div>
  )
}

/** The campaign that was sent, or why nothing was. */
function Outcome({ occurrence: { campaignId, reason } }: { occurrence: Schemas['CampaignOccurrence'] }) {
  const { projectId } = useApi()
  if (!campaignId) return reason
  return (
    <Link to={projectPage(projectId, 'campaigns/$id', { id: campaignId })} className="underline">
      {T.show}
    </Link>
  )
}

function History({ campaignId }: { campaignId: string }) {
  const { projectId, api } = useApi()
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [projectId, 'campaigns', campaignId, 'occurrences'],
    queryFn: ({ pageParam }) =>
      unwrap(api.campaigns.occurrences(campaignId, { limit: SHOWN, cursor: pageParam || undefined })),
    initialPageParam: '',
    getNextPageParam: ({ cursor, hasMore }) => (hasMore ? cursor : undefined),
  })
  if (error) return <Problem error={error} />
  return (
    <div className="-mx-6 space-y-4">
      <Table label={T.history} head={[T.at, T.outcome]}>
        {data?.pages
          .flatMap((page) => page.data)
          .map((occurrence) => (
            <Row key={occurrence.id}>
              <Cell>
                <Moment at={occurrence.at} />
              </Cell>
              <Cell className="w-full">
                <Outcome occurrence={occurrence} />
              </Cell>
            </Row>
          ))}
      </Table>
      {hasNextPage && (
        <div className="px-6">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {T.more}
          </Button>
        </div>
      )}
    </div>
  )
}
