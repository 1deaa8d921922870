/** Segments: parts of your contacts, by what is true of them or by hand. */
import { useQuery } from '@tanstack/react-query'
import { Plus, UsersRound } from 'lucide-react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Badge } from '../../parts/badge.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { List } from '../../parts/list.tsx'
import { Page } from '../../parts/page.tsx'
import { Cell, MomentCell, NameCell, Row } from '../../parts/table.tsx'
import { useApi } from '../../project.ts'

export function SegmentsPage() {
  const { projectId, api } = useApi()
  const list = useQuery({
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
      <List
        list={{ ...list, data: list.data && { data: list.data } }}
        label="Segments"
        head={['Name', { wide: 'Type' }, 'Contacts', { wide: 'Changed' }]}
        row={(segment) => (
          <Row>
            <NameCell to={inProjectPath(projectId, `segments/${segment.id}`)} more={segment.description}>
              {segment.name}
            </NameCell>
            <Cell wide>
              <span className="flex gap-1.5">
                <Badge tone={segment.type === 'DYNAMIC' ? 'info' : 'neutral'}>
                  {segment.type === 'DYNAMIC' ? 'By condition' : 'By hand'}
                </Badge>
                {segment.trackMembership && <Badge>Tracked</Badge>}
              </span>
            </Cell>
            <Cell>{segment.memberCount.toLocaleString()}</Cell>
            <MomentCell wide at={segment.updatedAt} />
          </Row>
        )}
        empty={
          <Empty icon={UsersRound} title="No segment yet" actions={newButton}>
            “Subscribed, on the pro plan, opened something this month”: say who belongs, and the segment keeps itself up
            to date. Campaigns go to segments, workflows start when somebody enters one.
          </Empty>
        }
      />
    </Page>
  )
}
