/** The recipients of a campaign with their status. Failed emails can be retried. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { projectPage } from '../../../addresses.ts'
import { type Schemas, unwrap } from '../../../data/api.ts'
import { useApi, useSearchState } from '../../../data/project.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatNumber } from '../../../figures/format.ts'
import { filterOptions, List, ListFilter } from '../../../lists/list.tsx'
import { Cell, MomentCell, NameCell, NumberCell, Row } from '../../../lists/table.tsx'
import { EMAIL_STATUSES, EmailStatus } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'
import { statsKey } from './live-progress.tsx'

/** The statuses of a sent email. */
const STATUSES = EMAIL_STATUSES.filter((status) => !['RECEIVED', 'SCHEDULED'].includes(status))

const { column } = texts.recipients

export function Recipients({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { projectId, api } = useApi()
  const [{ status = '', cursor }] = useSearchState<'status' | 'cursor'>()
  const query = { limit: 10, cursor, status: status || undefined }
  const list = useQuery({
    queryKey: [projectId, 'campaigns', campaign.id, 'recipients', query],
    queryFn: () => unwrap(api.campaigns.recipients(campaign.id, query)),
    placeholderData: keepPreviousData,
  })
  const queries = useQueryClient()
  // Only the first page of a status is counted.
  const firstPage = [projectId, 'campaigns', campaign.id, 'recipients', { ...query, cursor: undefined }]
  const withStatus = (cursor ? queries.getQueryData<typeof list.data>(firstPage) : list.data)?.total
  const total = status ? withStatus : campaign.totalRecipients
  return (
    <List
      list={list}
      title={texts.recipients.title}
      actions={
        <div className="flex flex-wrap items-center gap-2">
          <RetryFailed campaign={campaign} />
          <ListFilter label={texts.status} name="status" options={filterOptions(texts.anyStatus, 'emails', STATUSES)} />
        </div>
      }
      label={texts.recipients.title}
      total={total ? texts.recipients.total(total) : undefined}
      head={[
        column.email,
        column.status,
        { number: column.opens, onlyWide: true },
        { number: column.clicks, onlyWide: true },
        { wide: column.sent },
      ]}
      row={(recipient) => (
        <Row>
          <NameCell to={projectPage(projectId, 'emails/$id', { id: recipient.id })} error={recipient.error}>
            {recipient.email}
          </NameCell>
          <Cell>
            <EmailStatus status={recipient.status} />
          </Cell>
          <NumberCell wide>{formatNumber(recipient.opens)}</NumberCell>
          <NumberCell wide>{formatNumber(recipient.clicks)}</NumberCell>
          <MomentCell wide at={recipient.sentAt} />
        </Row>
      )}
      empty={<p className="px-5 pt-1 pb-5 text-sm text-soft">{texts.recipients.empty}</p>}
    />
  )
}

function RetryFailed({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, problem } = useAction()
  const { data: stats } = useQuery({
    queryKey: statsKey(projectId, campaign.id),
    queryFn: () => unwrap(api.campaigns.stats(campaign.id)),
  })
  const failed = stats?.failedCount ?? 0
  if (failed === 0 || campaign.status === 'CANCELLED') return null
  const retryFailed = async () => {
    const done = await run(api.campaigns.retryFailed(campaign.id))
    if (!done) return
    toast.done(texts.recipients.retried(done.data.retried))
    void queries.invalidateQueries({ queryKey: [projectId, 'campaigns'] })
  }
  return (
    <>
      {problem && <span className="text-sm text-bad">{problem.error.message}</span>}
      <Button busy={busy} onClick={() => void retryFailed()}>
        <RotateCcw aria-hidden /> {texts.recipients.retry(failed)}
      </Button>
    </>
  )
}
