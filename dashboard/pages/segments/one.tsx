/** One segment: its contacts and actions. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, RefreshCw, Send, UsersRound } from 'lucide-react'
import { projectPage } from '../../addresses.ts'
import type { Condition } from '../../conditions/condition.ts'
import { useConditionNames } from '../../conditions/condition-names.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useLiveQueries } from '../../data/live.ts'
import { useApi, useId, useSearchState } from '../../data/project.ts'
import { useContactTotal } from '../../data/use-contact-facts.ts'
import { formatShare } from '../../figures/format.ts'
import { useNavigate } from '../../links.tsx'
import { Empty } from '../../lists/empty-state.tsx'
import { List } from '../../lists/list.tsx'
import { Resource } from '../../lists/resource.tsx'
import { ACTIONS, Cell, MomentCell, NameCell, Row } from '../../lists/table.tsx'
import { Tags } from '../../lists/tags.tsx'
import { nameOf } from '../../pickers/contact-name.ts'
import { Page } from '../../shell/page.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Badge, Subscription } from '../../ui/badge.tsx'
import { LinkButton, RemoveButton } from '../../ui/button.tsx'
import { MoreActions } from '../../ui/more-actions.tsx'
import { useToast } from '../../ui/toast.tsx'
import { ConditionLines } from './condition-lines.tsx'
import { AddMembers } from './members.tsx'
import { SizeChart } from './size-chart.tsx'
import { texts } from './texts.ts'

type Segment = Schemas['Segment']

const PAGE_SIZE = 50

/** The contacts of a segment, and their number now; the number in the segment may be older. */
function useMembers(segmentId: string) {
  const { projectId, api } = useApi()
  const [{ page = '1' }] = useSearchState<'page'>()
  const query = { page: Number(page) || 1, pageSize: PAGE_SIZE }
  useLiveQueries(
    [[projectId, 'segments', segmentId]],
    ({ type }) => type.startsWith('contact.') || type.startsWith('segment.'),
  )
  return useQuery({
    queryKey: [projectId, 'segments', segmentId, 'contacts', query],
    queryFn: () => unwrap(api.segments.contacts(segmentId, query)),
    placeholderData: keepPreviousData,
  })
}

export function SegmentPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const query = useQuery({
    queryKey: [projectId, 'segments', id],
    queryFn: () => unwrap(api.segments.get(id)),
  })
  const members = useMembers(id)
  const total = members.data?.total
  const back = { to: projectPage(projectId, 'segments'), label: texts.title }
  return (
    <Resource query={query} title={texts.one.title} back={back}>
      {(segment) => (
        <Page
          title={segment.name}
          lead={<Lead segment={segment} />}
          back={back}
          actions={<SegmentActions segment={segment} total={total ?? segment.memberCount} />}
        >
          <div className="space-y-6">
            <SizeChart segmentId={segment.id} />
            <Members segment={segment} list={members} />
          </div>
        </Page>
      )}
    </Resource>
  )
}

const Lead = ({ segment }: { segment: Segment }) => (
  <>
    {segment.description}
    <div className="mt-1.5 flex flex-wrap items-center gap-2 text-sm">
      <Badge tone={segment.type === 'DYNAMIC' ? 'info' : 'neutral'}>{texts.types[segment.type]}</Badge>
      {segment.trackMembership && <Badge>{texts.tracked}</Badge>}
      <Tags kind="segments" item={segment} />
    </div>
  </>
)

function SegmentActions({ segment, total }: { segment: Segment; total: number }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const isDynamic = segment.type === 'DYNAMIC'
  const hasStoredMembers = isDynamic && segment.trackMembership
  const reload = () => queries.invalidateQueries({ queryKey: [projectId, 'segments'] })
  const recalculate = async () => {
    const { data, error } = await api.segments.compute(segment.id)
    if (error) return toast.failed(error)
    toast.done(texts.one.recalculated(data.added, data.removed))
    void reload()
  }
  const deleteSegment = async () => {
    await unwrap(api.segments.delete(segment.id))
    toast.done(texts.one.deleted)
    await navigate(projectPage(projectId, 'segments'))
    void reload()
  }
  return (
    <>
      {!isDynamic && <AddMembers segmentId={segment.id} />}
      <LinkButton
        kind={isDynamic ? 'primary' : 'plain'}
        to={projectPage(projectId, 'campaigns/new', { segment: segment.id })}
      >
        <Send aria-hidden /> {texts.one.createCampaign}
      </LinkButton>
      <LinkButton to={projectPage(projectId, 'segments/$id/edit', { id: segment.id })}>
        <Pencil aria-hidden /> {texts.one.edit}
      </LinkButton>
      <MoreActions
        actions={
          hasStoredMembers
            ? [{ icon: RefreshCw, label: texts.one.recalculate, onSelect: () => void recalculate() }]
            : []
        }
        deleteTexts={texts.one.delete}
        name={segment.name}
        onDelete={deleteSegment}
      >
        {texts.one.deleteEffect(total)}
      </MoreActions>
    </>
  )
}

const { column } = texts.one.members

/** "1,240 contacts, 8% of all contacts". */
const sizeOf = (total: number, all: number | undefined): string =>
  [sharedTexts.contacts(total), ...(all ? [texts.share(formatShare(total, all))] : [])].join(', ')

function Members({ segment, list }: { segment: Segment; list: ReturnType<typeof useMembers> }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const removeMember = async (email: string) => {
    const { error } = await api.segments.removeMembers(segment.id, [email])
    if (error) return toast.failed(error)
    toast.done(texts.one.members.removed(email))
    void queries.invalidateQueries({ queryKey: [projectId, 'segments'] })
  }
  const isStatic = segment.type === 'STATIC'
  const { data: contacts } = useContactTotal()
  const { data: segments } = useQuery({
    queryKey: [projectId, 'segments'],
    queryFn: () => unwrap(api.segments.list()),
    staleTime: 60_000,
  })
  const names = useConditionNames([segment.condition], segments)
  return (
    <List
      list={list}
      title={list.data ? sizeOf(list.data.total, contacts) : texts.one.contacts}
      lead={
        segment.condition && (
          <>
            {texts.one.members.lead}
            <ConditionLines condition={segment.condition as unknown as Condition} names={names} />
          </>
        )
      }
      total={list.data && list.data.totalPages > 1 ? sharedTexts.contacts(list.data.total) : undefined}
      label={texts.one.members.label}
      head={[
        column.email,
        { wide: column.name },
        { wide: column.status },
        { wide: column.added },
        ...(isStatic ? [ACTIONS] : []),
      ]}
      row={(contact) => (
        <Row>
          <NameCell
            to={projectPage(projectId, 'contacts/$id', { id: contact.id })}
            onPhone={
              <span className="flex flex-wrap gap-x-2">
                {nameOf(contact.data)} <Subscription subscribed={contact.subscribed} />
              </span>
            }
          >
            <span title={contact.email} className="sm:inline-block sm:max-w-full sm:truncate sm:align-bottom">
              {contact.email}
            </span>
          </NameCell>
          <Cell wide className="max-w-56 truncate">
            {nameOf(contact.data)}
          </Cell>
          <Cell wide>
            <Subscription subscribed={contact.subscribed} />
          </Cell>
          <MomentCell wide at={contact.createdAt} />
          {isStatic && (
            <Cell>
              <RemoveButton
                label={texts.one.members.remove(contact.email)}
                onClick={() => void removeMember(contact.email)}
              />
            </Cell>
          )}
        </Row>
      )}
      empty={
        <Empty icon={UsersRound} title={texts.one.members.emptyTitle}>
          {isStatic ? texts.one.members.emptyStatic : texts.one.members.emptyDynamic}
        </Empty>
      }
    />
  )
}
