/** One segment: who is in it now, and what can be done with it. */
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
import { List } from '../../parts/list.tsx'
import { MoreActs } from '../../parts/more-acts.tsx'
import { Opened } from '../../parts/opened.tsx'
import { Page } from '../../parts/page.tsx'
import { ACTS, Cell, MomentCell, NameCell, Row } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useId, useSearchState } from '../../project.ts'
import { AddMembers } from './members.tsx'

type Segment = Schemas['Segment']

export function SegmentPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const asked = useQuery({
    queryKey: [projectId, 'segments', id],
    queryFn: () => unwrap(api.segments.get(id)),
  })
  const back = { to: inProjectPath(projectId, 'segments'), words: 'Segments' }
  return (
    <Opened asked={asked} title="Segment" back={back}>
      {(segment) => (
        <Page title={segment.name} lead={segment.description} back={back} actions={<Acts segment={segment} />}>
          <div className="space-y-6">
            <Figures>
              <Figure name="Contacts" value={segment.memberCount.toLocaleString()} />
              <Figure name="Who belongs" value={segment.type === 'DYNAMIC' ? 'By condition' : 'By hand'} />
              <Figure name="Entry and exit events" value={segment.trackMembership ? 'Recorded' : 'Off'} />
            </Figures>
            <Members segment={segment} />
          </div>
        </Page>
      )}
    </Opened>
  )
}

function Acts({ segment }: { segment: Segment }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const isDynamic = segment.type === 'DYNAMIC'
  const reload = () => queries.invalidateQueries({ queryKey: [projectId, 'segments'] })
  const counts = async () => {
    setBusy(true)
    const { data, error } = segment.trackMembership
      ? await api.segments.compute(segment.id)
      : await api.segments.refresh(segment.id)
    setBusy(false)
    if (error) return toast.failed(error)
    toast.done('added' in data ? `${data.added} entered, ${data.removed} left.` : 'Counted again.')
    void reload()
  }
  const writes = () =>
    navigate({ to: inProjectPath(projectId, 'campaigns/new'), search: { segment: segment.id } as never })
  const deletes = async () => {
    await unwrap(api.segments.delete(segment.id))
    toast.done('Segment deleted.')
    await navigate({ to: inProjectPath(projectId, 'segments') })
    void reload()
  }
  return (
    <>
      {isDynamic ? (
        <Button busy={busy} onClick={() => void counts()}>
          <RefreshCw aria-hidden /> {segment.trackMembership ? 'Compute now' : 'Count again'}
        </Button>
      ) : (
        <AddMembers segmentId={segment.id} />
      )}
      <LinkButton to={inProjectPath(projectId, `segments/${segment.id}/edit`)}>
        <Pencil aria-hidden /> Edit
      </LinkButton>
      <MoreActs
        acts={[{ icon: Send, words: 'Write a campaign', onPick: () => void writes() }]}
        noun="segment"
        name={segment.name}
        onDelete={deletes}
      >
        The contacts stay. A segment that a scheduled or running campaign uses cannot be deleted.
      </MoreActs>
    </>
  )
}

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
  const removes = async (email: string) => {
    const { error } = await api.segments.removeMembers(segment.id, [email])
    if (error) return toast.failed(error)
    toast.done(`${email} removed from the segment.`)
    void queries.invalidateQueries({ queryKey: [projectId, 'segments'] })
  }
  const isStatic = segment.type === 'STATIC'
  return (
    <List
      list={list}
      title="Contacts"
      lead={isStatic ? undefined : 'Who matches at this moment.'}
      label="Contacts of this segment"
      head={['Email', { wide: 'Status' }, { wide: 'Added' }, ...(isStatic ? [ACTS] : [])]}
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
              <Button kind="quiet" onClick={() => void removes(contact.email)}>
                Remove<span className="sr-only"> {contact.email}</span>
              </Button>
            </Cell>
          )}
        </Row>
      )}
      empty={
        <Empty icon={UsersRound} title="Nobody yet">
          {isStatic ? 'Add people by their addresses.' : 'Nobody matches the condition.'}
        </Empty>
      }
    />
  )
}
