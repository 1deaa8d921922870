/** Campaigns: one letter to many. Found by state and words. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Megaphone, Plus } from 'lucide-react'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { LinkButton } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { anyOrOne, List, ListFilter, ListSearch } from '../../parts/list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Cell, MomentCell, NameCell, Row } from '../../parts/table.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { percentOf } from '../overview/totals.ts'
import { CampaignStatus, STATUSES } from './status.tsx'

export function CampaignsPage() {
  const { projectId, api } = useApi()
  const [{ search = '', status = '', page = '1' }] = useSearchState<'search' | 'status' | 'page'>()
  const query = {
    page: Number(page) || 1,
    search: search || undefined,
    status: (status || undefined) as Schemas['Campaign']['status'] | undefined,
  }
  const list = useQuery({
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
      <List
        list={list}
        label="Campaigns"
        head={['Name', 'State', { wide: 'Sent' }, { wide: 'Opened' }, { wide: 'Clicked' }, { wide: 'When' }]}
        row={(campaign) => <CampaignRow campaign={campaign} />}
        tools={
          <>
            <ListSearch label="Search campaigns" />
            <ListFilter label="State" name="status" options={anyOrOne('Any state', STATUSES)} />
          </>
        }
        empty={
          <Empty
            icon={Megaphone}
            title={filtered ? 'No campaign matches' : 'No campaign yet'}
            actions={!filtered && newButton}
          >
            {!filtered && 'Write to everyone, to a segment, or to whoever matches a condition.'}
          </Empty>
        }
      />
    </Page>
  )
}

function CampaignRow({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { projectId } = useApi()
  const { sentCount, totalRecipients, openedCount, clickedCount } = campaign
  const started = campaign.sentAt !== null
  const when = campaign.sentAt ?? campaign.scheduledFor ?? campaign.updatedAt
  const delivered = campaign.deliveredCount || sentCount
  return (
    <Row>
      <NameCell
        to={inProjectPath(projectId, `campaigns/${campaign.id}`)}
        more={campaign.subject}
        onPhone={<Moment at={when} relative />}
      >
        {campaign.name}
      </NameCell>
      <Cell>
        <CampaignStatus campaign={campaign} />
      </Cell>
      <Cell wide className="whitespace-nowrap">
        {started ? `${sentCount.toLocaleString()} of ${totalRecipients.toLocaleString()}` : '–'}
      </Cell>
      <Cell wide>{started ? percentOf(openedCount, delivered) : '–'}</Cell>
      <Cell wide>{started ? percentOf(clickedCount, delivered) : '–'}</Cell>
      <MomentCell wide at={when} />
    </Row>
  )
}
