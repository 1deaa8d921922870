/** Who got the campaign and what became of it; those that failed can be tried again. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { EMAIL_STATUSES, EmailStatus } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { anyOrOne, List, ListFilter } from '../../parts/list.tsx'
import { Cell, MomentCell, NameCell, Row } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import { statsKey } from './live-progress.tsx'

/** Those an email of ours can have. */
const STATUSES = EMAIL_STATUSES.filter((status) => status !== 'RECEIVED')

export function Recipients({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { projectId, api } = useApi()
  const [{ status = '', cursor }] = useSearchState<'status' | 'cursor'>()
  const query = { limit: 25, cursor, status: status || undefined }
  const list = useQuery({
    queryKey: [projectId, 'campaigns', campaign.id, 'recipients', query],
    queryFn: () => unwrap(api.campaigns.recipients(campaign.id, query)),
    placeholderData: keepPreviousData,
    refetchInterval: campaign.status === 'SENDING' && !cursor ? 2_000 : false,
  })
  return (
    <List
      list={list}
      title="Recipients"
      actions={
        <div className="flex flex-wrap items-center gap-2">
          <RetryFailed campaign={campaign} />
          <ListFilter label="Status" name="status" options={anyOrOne('Any status', STATUSES)} />
        </div>
      }
      label="Recipients"
      head={['To', 'Status', { wide: 'Opens' }, { wide: 'Clicks' }, { wide: 'Sent' }]}
      row={(recipient) => (
        <Row>
          <NameCell to={inProjectPath(projectId, `emails/${recipient.id}`)} wrong={recipient.error}>
            {recipient.email}
          </NameCell>
          <Cell>
            <EmailStatus status={recipient.status} />
          </Cell>
          <Cell wide>{recipient.opens}</Cell>
          <Cell wide>{recipient.clicks}</Cell>
          <MomentCell wide at={recipient.sentAt} />
        </Row>
      )}
      empty={<p className="px-5 pt-1 pb-5 text-sm text-soft">None in this list.</p>}
    />
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
