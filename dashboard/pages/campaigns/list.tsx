/** Campaigns: one letter to many. Found by state and words. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Megaphone, Plus } from 'lucide-react'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { inWords } from '../../parts/badge.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { Select } from '../../parts/field.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { PageNumbers } from '../../parts/page-numbers.tsx'
import { Problem } from '../../parts/problem.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { Cell, Row, Table } from '../../parts/table.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { percentOf } from '../overview/totals.ts'
import { CampaignStatus, STATUSES } from './status.tsx'

const STATUS_OPTIONS = { '': 'Any state', ...Object.fromEntries(STATUSES.map((status) => [status, inWords(status)])) }

export function CampaignsPage() {
  const { projectId, api } = useApi()
  const [{ search = '', status = '', page = '1' }, change] = useSearchState<'search' | 'status' | 'page'>()
  const query = {
    page: Number(page) || 1,
    search: search || undefined,
    status: (status || undefined) as Schemas['Campaign']['status'] | undefined,
  }
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'campaigns', query],
    queryFn: () => unwrap(api.campaigns.list(query)),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some((one) => one.status === 'SENDING') ? 2_000 : false),
  })
  const filtered = search !== '' || status !== ''
  const newButton = (
    <LinkButton kind="primary" to={inProjectPath(projectId, 'campaigns/new')}>
      <Plus aria-hidden /> New campaign
    </LinkButton>
  )
  return (
    <Page title="Campaigns" lead="One letter to many, now or at a time you choose." actions={newButton}>
      <Card flush>
        <div className="flex flex-wrap items-center gap-2 px-5 pt-2 pb-3">
          <SearchBox
            label="Search campaigns"
            value={search}
            onSearch={(text) => change({ search: text, page: undefined }, { replace: true })}
          />
          <div className="w-44">
            <Select
              label="State"
              hideLabel
              value={status}
              options={STATUS_OPTIONS}
              onChange={(event) => change({ status: event.target.value, page: undefined })}
            />
          </div>
        </div>
        {error && (
          <div className="p-5">
            <Problem error={error} retry={() => void refetch()} />
          </div>
        )}
        {!data && !error && <Loading />}
        {data?.data.length === 0 && (
          <Empty
            icon={Megaphone}
            title={filtered ? 'No campaign matches' : 'No campaign yet'}
            actions={!filtered && newButton}
          >
            {!filtered && 'Write to everyone, to a segment, or to whoever matches a condition.'}
          </Empty>
        )}
        {data && data.data.length > 0 && (
          <Table label="Campaigns" head={['Name', 'State', 'Sent', 'Opened', 'Clicked', 'When']}>
            {data.data.map((campaign) => (
              <CampaignRow key={campaign.id} campaign={campaign} />
            ))}
          </Table>
        )}
        {data && (
          <PageNumbers page={data.page} totalPages={data.totalPages} onGo={(to) => change({ page: String(to) })} />
        )}
      </Card>
    </Page>
  )
}

function CampaignRow({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { projectId } = useApi()
  const { sentCount, totalRecipients, openedCount, clickedCount } = campaign
  const started = campaign.sentAt !== null
  const delivered = campaign.deliveredCount || sentCount
  return (
    <Row>
      <Cell className="w-full min-w-48">
        <Link to={inProjectPath(projectId, `campaigns/${campaign.id}`)} className="font-medium hover:underline">
          {campaign.name}
        </Link>
        <p className="max-w-md truncate text-soft">{campaign.subject}</p>
      </Cell>
      <Cell>
        <CampaignStatus campaign={campaign} />
      </Cell>
      <Cell className="whitespace-nowrap">
        {started ? `${sentCount.toLocaleString()} of ${totalRecipients.toLocaleString()}` : '–'}
      </Cell>
      <Cell>{started ? percentOf(openedCount, delivered) : '–'}</Cell>
      <Cell>{started ? percentOf(clickedCount, delivered) : '–'}</Cell>
      <Cell className="text-soft">
        <Moment at={campaign.sentAt ?? campaign.scheduledFor ?? campaign.updatedAt} relative />
      </Cell>
    </Row>
  )
}
