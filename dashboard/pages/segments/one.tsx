/** One segment: its contacts and actions. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Pencil, RefreshCw, Send, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Subscription } from '../../parts/badge.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { Figure, Figures } from '../../parts/figures.tsx'
import { formatNumber } from '../../parts/format.ts'
import { List } from '../../parts/list.tsx'
import { MoreActions } from '../../parts/more-actions.tsx'
import { Page } from '../../parts/page.tsx'
import { Resource } from '../../parts/resource.tsx'
import { ACTIONS, Cell, MomentCell, NameCell, Row } from '../../parts/table.tsx'
import { sharedTexts } from '../../parts/texts.ts'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useId, useSearchState } from '../../project.ts'
import { AddMembers } from './members.tsx'
import { texts } from './texts.ts'

type Segment = Schemas['Segment']

export function SegmentPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const query = useQuery({
    queryKey: [projectId, 'segments', id],
    queryFn: () => unwrap(api.segments.get(id)),
  })
  const back = { to: inProjectPath(projectId, 'segments'), label: texts.title }
  return (
    <Resource query={query} title={texts.one.title} back={back}>
      {(segment) => (
        <Page
          title={segment.name}
          lead={segment.description}
          back={back}
          actions={<SegmentActions segment={segment} />}
        >
          <div className="space-y-6">
            <Figures>
              <Figure name={texts.one.contacts} value={formatNumber(segment.memberCount)} />
              <Figure name={texts.one.type} value={texts.types[segment.type]} />
              <Figure
                name={texts.one.events}
                value={segment.trackMembership ? texts.one.eventsOn : texts.one.eventsOff}
              />
            </Figures>
            <Members segment={segment} />
          </div>
        </Page>
      )}
    </Resource>
  )
}

function SegmentActions({ segment }: { segment: Segment }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const isDynamic = segment.type === 'DYNAMIC'
  const reload = () => queries.invalidateQueries({ queryKey: [projectId, 'segments'] })
  const updateSegment = async () => {
    setBusy(true)
    const { data, error } = segment.trackMembership
      ? await api.segments.compute(segment.id)
      : await api.segments.refresh(segment.id)
    setBusy(false)
    if (error) return toast.failed(error)
    toast.done('added' in data ? texts.one.membersUpdated(data.added, data.removed) : texts.one.countUpdated)
    void reload()
  }
  const createCampaign = () =>
    navigate({ to: inProjectPath(projectId, 'campaigns/new'), search: { segment: segment.id } as never })
  const deleteSegment = async () => {
    await unwrap(api.segments.delete(segment.id))
    toast.done(texts.one.deleted)
    await navigate({ to: inProjectPath(projectId, 'segments') })
    void reload()
  }
  return (
    <>
      {isDynamic ? (
        <Button busy={busy} onClick={() => void updateSegment()}>
          <RefreshCw aria-hidden /> {segment.trackMembership ? texts.one.updateMembers : texts.one.updateCount}
        </Button>
      ) : (
        <AddMembers segmentId={segment.id} />
      )}
      <LinkButton to={inProjectPath(projectId, `segments/${segment.id}/edit`)}>
        <Pencil aria-hidden /> {texts.one.edit}
      </LinkButton>
      <MoreActions
        actions={[{ icon: Send, label: texts.one.createCampaign, onSelect: () => void createCampaign() }]}
        deleteTexts={texts.one.delete}
        name={segment.name}
        onDelete={deleteSegment}
      >
        {texts.one.deleteEffect(segment.memberCount)}
      </MoreActions>
    </>
  )
}

const { column } = texts.one.members

function Members({ segment }: { segment: Segment }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [{ page = '1' }] = useSearchState<'page'>()
  const query = { page: Number(page) || 1, pageSize: 50 }
  const list = useQuery({
    queryKey: [projectId, 'segments', segment.id, 'contacts', query],
    queryFn: () => unwrap(api.segments.contacts(segment.id, query)),
    placeholderData: keepPreviousData,
  })
  const removeMember = async (email: string) => {
    const { error } = await api.segments.removeMembers(segment.id, [email])
    if (error) return toast.failed(error)
    toast.done(texts.one.members.removed(email))
    void queries.invalidateQueries({ queryKey: [projectId, 'segments'] })
  }
  const isStatic = segment.type === 'STATIC'
  return (
    <List
      list={list}
      title={texts.one.contacts}
      lead={isStatic ? undefined : texts.one.members.lead}
      label={texts.one.members.label}
      head={[column.email, { wide: column.status }, { wide: column.added }, ...(isStatic ? [ACTIONS] : [])]}
      row={(contact) => (
        <Row>
          <NameCell
            to={inProjectPath(projectId, `contacts/${contact.id}`)}
            onPhone={<Subscription subscribed={contact.subscribed} />}
          >
            {contact.email}
          </NameCell>
          <Cell wide>
            <Subscription subscribed={contact.subscribed} />
          </Cell>
          <MomentCell wide at={contact.createdAt} />
          {isStatic && (
            <Cell>
              <Button
                kind="quiet"
                aria-label={texts.one.members.remove(contact.email)}
                onClick={() => void removeMember(contact.email)}
              >
                {sharedTexts.remove}
              </Button>
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
