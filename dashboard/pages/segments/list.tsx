/** The segment list. */
import { useQuery } from '@tanstack/react-query'
import { Plus, UsersRound } from 'lucide-react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Badge } from '../../parts/badge.tsx'
import { LinkButton } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { formatNumber } from '../../parts/format.ts'
import { List } from '../../parts/list.tsx'
import { Page } from '../../parts/page.tsx'
import { Cell, MomentCell, NameCell, NumberCell, Row } from '../../parts/table.tsx'
import { useApi } from '../../project.ts'
import { texts } from './texts.ts'
import { useFreshCounts } from './use-fresh-counts.ts'

export function SegmentsPage() {
  const { projectId, api } = useApi()
  const list = useQuery({
    queryKey: [projectId, 'segments'],
    queryFn: () => unwrap(api.segments.list()),
  })
  const countOf = useFreshCounts(list.data)
  const createButton = (
    <LinkButton kind="primary" to={inProjectPath(projectId, 'segments/new')}>
      <Plus aria-hidden /> {texts.create}
    </LinkButton>
  )
  return (
    <Page title={texts.title} lead={texts.lead} actions={createButton}>
      <List
        list={{ ...list, data: list.data && { data: list.data } }}
        label={texts.title}
        head={[
          texts.column.name,
          { wide: texts.column.type },
          { number: texts.column.contacts },
          { wide: texts.column.updated },
        ]}
        row={(segment) => (
          <Row>
            <NameCell to={inProjectPath(projectId, `segments/${segment.id}`)} more={segment.description}>
              {segment.name}
            </NameCell>
            <Cell wide>
              <span className="flex gap-1.5">
                <Badge tone={segment.type === 'DYNAMIC' ? 'info' : 'neutral'}>{texts.types[segment.type]}</Badge>
                {segment.trackMembership && <Badge>{texts.tracked}</Badge>}
              </span>
            </Cell>
            <NumberCell>{formatNumber(countOf(segment))}</NumberCell>
            <MomentCell wide at={segment.updatedAt} />
          </Row>
        )}
        empty={
          <Empty icon={UsersRound} title={texts.emptyTitle} actions={createButton}>
            {texts.empty}
          </Empty>
        }
      />
    </Page>
  )
}
