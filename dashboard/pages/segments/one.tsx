/** One segment: who is in it now, and what can be done with it. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Ellipsis, Pencil, RefreshCw, Send, Trash2, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton, LinkButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { Figure, Figures } from '../../parts/figures.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { PageNumbers } from '../../parts/page-numbers.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, Row, Table } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useId, useSearchState } from '../../project.ts'
import { AddMembers } from './members.tsx'

type Segment = Schemas['Segment']

export function SegmentPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'segments', id],
    queryFn: () => unwrap(api.segments.get(id)),
  })
  const back = { to: inProjectPath(projectId, 'segments'), words: 'Segments' }
  if (error) {
    return (
      <Page title="Segment" back={back}>
        <Problem error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  if (!data) return <Loading />
  return (
    <Page title={data.name} lead={data.description} back={back} actions={<Acts segment={data} />}>
      <div className="space-y-6">
        <Figures>
          <Figure name="Contacts" value={data.memberCount.toLocaleString()} />
          <Figure name="Who belongs" value={data.type === 'DYNAMIC' ? 'By condition' : 'By hand'} />
          <Figure name="Entry and exit events" value={data.trackMembership ? 'Recorded' : 'Off'} />
        </Figures>
        <Members segment={data} />
      </div>
    </Page>
  )
}

function Acts({ segment }: { segment: Segment }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const [deleting, setDeleting] = useState(false)
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
      <Menu
        trigger={
          <IconButton label="More acts">
            <Ellipsis />
          </IconButton>
        }
        groups={[
          [
            {
              words: (
                <>
                  <Send aria-hidden /> Write a campaign
                </>
              ),
              onPick: () =>
                void navigate({
                  to: inProjectPath(projectId, 'campaigns/new'),
                  search: { segment: segment.id } as never,
                }),
            },
          ],
          [
            {
              words: (
                <>
                  <Trash2 aria-hidden /> Delete
                </>
              ),
              danger: true,
              onPick: () => setDeleting(true),
            },
          ],
        ]}
      />
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title="Delete this segment?"
        name={segment.name}
        act="Delete the segment"
        onAct={async () => {
          await unwrap(api.segments.delete(segment.id))
          toast.done('Segment deleted.')
          await navigate({ to: inProjectPath(projectId, 'segments') })
          void reload()
        }}
      >
        <p>The contacts stay. A segment that a scheduled or running campaign uses cannot be deleted.</p>
      </Confirm>
    </>
  )
}

function Members({ segment }: { segment: Segment }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [{ page = '1' }, change] = useSearchState<'page'>()
  const query = { page: Number(page) || 1, pageSize: 50 }
  const { data, error, refetch } = useQuery({
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
  if (error) return <Problem error={error} retry={() => void refetch()} />
  const isStatic = segment.type === 'STATIC'
  const acts = isStatic
    ? [
        <span key="acts" className="sr-only">
          Acts
        </span>,
      ]
    : []
  return (
    <Card flush title="Contacts" lead={isStatic ? undefined : 'Who matches at this moment.'}>
      {!data && <Loading />}
      {data?.data.length === 0 && (
        <Empty icon={UsersRound} title="Nobody yet">
          {isStatic ? 'Add people by their addresses.' : 'Nobody matches the condition.'}
        </Empty>
      )}
      {data && data.data.length > 0 && (
        <Table label="Contacts of this segment" head={['Email', 'Status', 'Added', ...acts]}>
          {data.data.map((contact) => (
            <Row key={contact.id}>
              <Cell className="w-full">
                <Link to={inProjectPath(projectId, `contacts/${contact.id}`)} className="font-medium hover:underline">
                  {contact.email}
                </Link>
              </Cell>
              <Cell>{contact.subscribed ? <Badge tone="good">Subscribed</Badge> : <Badge>Not subscribed</Badge>}</Cell>
              <Cell className="text-soft">
                <Moment at={contact.createdAt} relative />
              </Cell>
              {isStatic && (
                <Cell>
                  <Button kind="quiet" onClick={() => void removes(contact.email)}>
                    Remove<span className="sr-only"> {contact.email}</span>
                  </Button>
                </Cell>
              )}
            </Row>
          ))}
        </Table>
      )}
      {data && (
        <PageNumbers page={data.page} totalPages={data.totalPages} onGo={(to) => change({ page: String(to) })} />
      )}
    </Card>
  )
}
