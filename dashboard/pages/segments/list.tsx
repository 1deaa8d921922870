/** Segments: parts of your contacts, by what is true of them or by hand. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, UsersRound } from 'lucide-react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Badge } from '../../parts/badge.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, Row, Table } from '../../parts/table.tsx'
import { useApi } from '../../project.ts'

export function SegmentsPage() {
  const { projectId, api } = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'segments'],
    queryFn: () => unwrap(api.segments.list()),
  })
  const newButton = (
    <LinkButton kind="primary" to={inProjectPath(projectId, 'segments/new')}>
      <Plus aria-hidden /> New segment
    </LinkButton>
  )
  return (
    <Page
      title="Segments"
      lead="Parts of your contacts: by what is true of them, or chosen by hand."
      actions={newButton}
    >
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!error && (
        <Card flush>
          {!data && <Loading />}
          {data?.length === 0 && (
            <Empty icon={UsersRound} title="No segment yet" actions={newButton}>
              “Subscribed, on the pro plan, opened something this month”: say who belongs, and the segment keeps itself
              up to date. Campaigns go to segments, workflows start when somebody enters one.
            </Empty>
          )}
          {data && data.length > 0 && (
            <Table label="Segments" head={['Name', 'Type', 'Contacts', 'Changed']}>
              {data.map((segment) => (
                <Row key={segment.id}>
                  <Cell className="w-full">
                    <Link
                      to={inProjectPath(projectId, `segments/${segment.id}`)}
                      className="font-medium hover:underline"
                    >
                      {segment.name}
                    </Link>
                    {segment.description && <p className="max-w-xl truncate text-soft">{segment.description}</p>}
                  </Cell>
                  <Cell>
                    <span className="flex gap-1.5">
                      <Badge tone={segment.type === 'DYNAMIC' ? 'info' : 'neutral'}>
                        {segment.type === 'DYNAMIC' ? 'By condition' : 'By hand'}
                      </Badge>
                      {segment.trackMembership && <Badge>Tracked</Badge>}
                    </span>
                  </Cell>
                  <Cell className="text-right">{segment.memberCount.toLocaleString()}</Cell>
                  <Cell className="text-soft">
                    <Moment at={segment.updatedAt} relative />
                  </Cell>
                </Row>
              ))}
            </Table>
          )}
        </Card>
      )}
    </Page>
  )
}
