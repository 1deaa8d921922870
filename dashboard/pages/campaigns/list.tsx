/** The campaign list with search and a status filter. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Megaphone, Plus } from 'lucide-react'
import { projectPage } from '../../addresses.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useLiveQueries } from '../../data/live.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { formatShare } from '../../figures/format.ts'
import { Moment } from '../../figures/moment.tsx'
import { countsOfCampaign, emailShares } from '../../figures/rates.ts'
import { ListEmpty } from '../../lists/empty-state.tsx'
import { filterOptions, List, ListFilter, ListSearch, listOrder, usePagedQuery } from '../../lists/list.tsx'
import { Cell, NameCell, NumberCell, Row } from '../../lists/table.tsx'
import { TagFilter, Tags } from '../../lists/tags.tsx'
import { Page } from '../../shell/page.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { experimentTexts } from './experiment/texts.ts'
import { CampaignStatus, STATUSES } from './status.tsx'
import { texts } from './texts.ts'

export function CampaignsPage() {
  const { projectId, api } = useApi()
  const [{ status = '', sort = '' }] = useSearchState<'status' | 'sort'>()
  const paged = usePagedQuery()
  const query = {
    ...paged.query,
    status: (status || undefined) as Schemas['Campaign']['status'] | undefined,
    ...listOrder(sort),
    content: 'false' as const,
  }
  const list = useQuery({
    queryKey: [projectId, 'campaigns', query],
    queryFn: () => unwrap(api.campaigns.list(query)),
    placeholderData: keepPreviousData,
  })
  useLiveQueries(
    [[projectId, 'campaigns', query]],
    ({ type, metadata }) => type.startsWith('campaign.') || metadata.campaignId != null,
  )
  const filtered = paged.filtered || status !== ''
  const createButton = (
    <LinkButton kind="primary" to={projectPage(projectId, 'campaigns/new')}>
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
          { number: texts.column.sent, onlyWide: true },
          { number: texts.column.openRate, onlyWide: true },
          { number: texts.column.clickRate, onlyWide: true },
          { wide: texts.column.date },
        ]}
        row={(campaign) => <CampaignRow campaign={campaign} />}
        filtered={filtered}
        tools={
          <>
            <ListSearch label={texts.search} />
            <ListFilter
              label={texts.status}
              name="status"
              options={filterOptions(texts.anyStatus, 'campaigns', STATUSES)}
            />
            <TagFilter kind="campaigns" />
            <ListFilter label={texts.sort} name="sort" options={texts.sorts} />
          </>
        }
        empty={<ListEmpty icon={Megaphone} filtered={filtered} texts={texts} actions={createButton} />}
      />
    </Page>
  )
}

/** When it was or will be sent, was canceled or last edited. */
function CampaignDate({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { status, sentAt, scheduledFor, finishedAt, updatedAt } = campaign
  const dates = {
    SENT: sentAt,
    SENDING: sentAt,
    SCHEDULED: scheduledFor,
    CANCELLED: finishedAt,
    DRAFT: updatedAt,
  }
  return (
    <RichText
      text={texts.dates[status]}
      elements={{ time: () => <Moment at={dates[status] ?? updatedAt} relative /> }}
    />
  )
}

function CampaignRow({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { projectId } = useApi()
  const { sentCount, totalRecipients } = campaign
  const started = campaign.sentAt !== null
  const shares = emailShares(countsOfCampaign(campaign))
  const openRate = formatShare(...shares.opened)
  const clickRate = formatShare(...shares.clicked)
  return (
    <Row>
      <NameCell
        to={projectPage(projectId, 'campaigns/$id', { id: campaign.id })}
        more={campaign.subject}
        onPhone={
          <>
            {started && <p>{texts.results(sentCount, openRate, clickRate)}</p>}
            <CampaignDate campaign={campaign} />
          </>
        }
        tags={
          <>
            {campaign.recurrence && <Badge>{texts.recurrence.badge}</Badge>}{' '}
            {campaign.hasExperiment && <Badge>{experimentTexts.results.badge}</Badge>}{' '}
            <Tags kind="campaigns" item={campaign} />
          </>
        }
      >
        {campaign.name}
      </NameCell>
      <Cell>
        <CampaignStatus campaign={campaign} />
      </Cell>
      <NumberCell wide>{started ? texts.progress(sentCount, totalRecipients) : sharedTexts.missing}</NumberCell>
      <NumberCell wide>{started ? openRate : sharedTexts.missing}</NumberCell>
      <NumberCell wide>{started ? clickRate : sharedTexts.missing}</NumberCell>
      <Cell wide className="whitespace-nowrap text-soft">
        <CampaignDate campaign={campaign} />
      </Cell>
    </Row>
  )
}
