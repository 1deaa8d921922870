/** The campaign list with search and a status filter. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Megaphone, Plus } from 'lucide-react'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { LinkButton } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { formatShare } from '../../parts/format.ts'
import { filterOptions, List, ListFilter, ListSearch } from '../../parts/list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Cell, MomentCell, NameCell, Row } from '../../parts/table.tsx'
import { sharedTexts } from '../../parts/texts.ts'
import { useApi, useSearchState } from '../../project.ts'
import { CampaignStatus, STATUSES } from './status.tsx'
import { texts } from './texts.ts'

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
  const createButton = (
    <LinkButton kind="primary" to={inProjectPath(projectId, 'campaigns/new')}>
      <Plus aria-hidden /> {texts.create}
    </LinkButton>
  )
  return (
    <Page title={texts.title} lead={texts.lead} actions={createButton}>
      <List
        list={list}
        label={texts.title}
        head={[
          texts.column.name,
          texts.column.status,
          { wide: texts.column.sent },
          { wide: texts.column.openRate },
          { wide: texts.column.clickRate },
          { wide: texts.column.date },
        ]}
        row={(campaign) => <CampaignRow campaign={campaign} />}
        tools={
          <>
            <ListSearch label={texts.search} />
            <ListFilter label={texts.status} name="status" options={filterOptions(texts.anyStatus, STATUSES)} />
          </>
        }
        empty={
          <Empty
            icon={Megaphone}
            title={filtered ? texts.noMatchTitle : texts.emptyTitle}
            actions={!filtered && createButton}
          >
            {filtered ? texts.noMatch : texts.empty}
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
  const date = campaign.sentAt ?? campaign.scheduledFor ?? campaign.updatedAt
  const delivered = campaign.deliveredCount || sentCount
  return (
    <Row>
      <NameCell
        to={inProjectPath(projectId, `campaigns/${campaign.id}`)}
        more={campaign.subject}
        onPhone={<Moment at={date} relative />}
      >
        {campaign.name}
      </NameCell>
      <Cell>
        <CampaignStatus campaign={campaign} />
      </Cell>
      <Cell wide className="whitespace-nowrap">
        {started ? texts.progress(sentCount, totalRecipients) : sharedTexts.missing}
      </Cell>
      <Cell wide>{started ? formatShare(openedCount, delivered) : sharedTexts.missing}</Cell>
      <Cell wide>{started ? formatShare(clickedCount, delivered) : sharedTexts.missing}</Cell>
      <MomentCell wide at={date} />
    </Row>
  )
}
