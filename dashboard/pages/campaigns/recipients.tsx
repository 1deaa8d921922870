/** Who got the campaign and what became of it; those that failed can be tried again. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCcw } from 'lucide-react'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { EmailStatus, inWords } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/field.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, Pager, Row, Table } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import { statsKey } from './live-progress.tsx'

const STATUSES = 'PENDING SENDING SENT DELIVERED OPENED CLICKED BOUNCED COMPLAINED FAILED CANCELLED'.split(' ')
const OPTIONS = { '': 'Any status', ...Object.fromEntries(STATUSES.map((status) => [status, inWords(status)])) }

export function Recipients({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { projectId, api } = useApi()
  const [{ status = '', cursor }, change] = useSearchState<'status' | 'cursor'>()
  const query = { limit: 25, cursor, status: status || undefined }
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'campaigns', campaign.id, 'recipients', query],
    queryFn: () => unwrap(api.campaigns.recipients(campaign.id, query)),
    placeholderData: keepPreviousData,
    refetchInterval: campaign.status === 'SENDING' && !cursor ? 2_000 : false,
  })
  return (
    <Card
      flush
      title="Recipients"
      actions={
        <div className="flex flex-wrap items-center gap-2">
          <RetryFailed campaign={campaign} />
          <div className="w-36">
            <Select
              label="Status"
              hideLabel
              value={status}
              options={OPTIONS}
              onChange={(event) => change({ status: event.target.value, cursor: undefined }, { replace: true })}
            />
          </div>
        </div>
      }
    >
      {error && (
        <div className="p-5">
          <Problem error={error} retry={() => void refetch()} />
        </div>
      )}
      {!data && !error && <Loading />}
      {data?.data.length === 0 && <p className="px-5 pt-1 pb-5 text-sm text-soft">None in this list.</p>}
      {data && data.data.length > 0 && (
        <Table label="Recipients" head={['To', 'Status', 'Opens', 'Clicks', 'Sent']}>
          {data.data.map((recipient) => (
            <Row key={recipient.id}>
              <Cell className="w-full min-w-48">
                <Link to={inProjectPath(projectId, `emails/${recipient.id}`)} className="font-medium hover:underline">
                  {recipient.email}
                </Link>
                {recipient.error && <p className="text-[0.8125rem] text-bad">{recipient.error}</p>}
              </Cell>
              <Cell>
                <EmailStatus status={recipient.status} />
              </Cell>
              <Cell>{recipient.opens}</Cell>
              <Cell>{recipient.clicks}</Cell>
              <Cell className="text-soft">
                <Moment at={recipient.sentAt} relative />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <Pager cursor={cursor} next={data?.cursor ?? null} onGo={(to) => change({ cursor: to })} />
    </Card>
  )
}

function RetryFailed({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { act, busy, problem } = useAct()
  const { data: stats } = useQuery({
    queryKey: statsKey(projectId, campaign.id),
    queryFn: () => unwrap(api.campaigns.stats(campaign.id)),
  })
  const failed = stats?.failedCount ?? 0
  if (failed === 0 || campaign.status === 'CANCELLED') return null
  const retries = async () => {
    const done = await act(api.campaigns.retryFailed(campaign.id))
    if (!done) return
    toast.done(`${done.data.retried.toLocaleString()} are tried again.`)
    void queries.invalidateQueries({ queryKey: [projectId, 'campaigns'] })
  }
  return (
    <>
      {problem && <span className="text-sm text-bad">{problem.error.message}</span>}
      <Button busy={busy} onClick={() => void retries()}>
        <RotateCcw aria-hidden /> Retry {failed.toLocaleString()} failed
      </Button>
    </>
  )
}
