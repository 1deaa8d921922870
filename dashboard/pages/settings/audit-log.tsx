/** Who did what to the project itself: keys, members, domains, limits. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { person, unwrap } from '../../api.ts'
import { Badge } from '../../parts/badge.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, Pager, Row, Table } from '../../parts/table.tsx'
import { useProject, useSearchState } from '../../project.ts'
import { dataInWords } from '../contacts/data-words.ts'

const ACTORS = { USER: 'A person', KEY: 'The secret key', SYSTEM: 'The service' }

export function AuditLogTab() {
  const project = useProject()
  const [{ cursor }, change] = useSearchState<'cursor'>()
  const query = { limit: 50, cursor }
  const { data, error, refetch } = useQuery({
    queryKey: [project.id, 'audit-log', query],
    queryFn: () => unwrap(person.projects.auditLog(project.id, query)),
    placeholderData: keepPreviousData,
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  return (
    <Card title="Audit log" lead="Newest first. Nobody can change it." flush>
      {!data && <Loading />}
      {data?.data.length === 0 && <p className="px-5 pb-5 text-sm text-soft">Nothing is recorded yet.</p>}
      {data && data.data.length > 0 && (
        <Table label="Audit log" head={['Act', 'Who', 'Details', 'From', 'When']}>
          {data.data.map((entry) => (
            <Row key={entry.id}>
              <Cell>
                <Badge>{entry.act}</Badge>
              </Cell>
              <Cell>{entry.actor.email ?? ACTORS[entry.actor.type]}</Cell>
              <Cell className="w-full max-w-72 truncate text-soft">{dataInWords(entry.details)}</Cell>
              <Cell className="text-soft">{entry.ip ?? '–'}</Cell>
              <Cell className="text-soft">
                <Moment at={entry.createdAt} relative />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <Pager cursor={cursor} next={data?.cursor ?? null} onGo={(to) => change({ cursor: to })} />
    </Card>
  )
}
