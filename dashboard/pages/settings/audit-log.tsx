/** Who did what to the project itself: keys, members, domains, limits. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { person, unwrap } from '../../api.ts'
import { Badge } from '../../parts/badge.tsx'
import { List } from '../../parts/list.tsx'
import { Cell, MomentCell, OnPhone, Row } from '../../parts/table.tsx'
import { useProject, useSearchState } from '../../project.ts'
import { dataInWords } from '../contacts/data-words.ts'

const ACTORS = { USER: 'A person', KEY: 'The secret key', SYSTEM: 'The service' }

export function AuditLogTab() {
  const project = useProject()
  const [{ cursor }] = useSearchState<'cursor'>()
  const query = { limit: 50, cursor }
  const list = useQuery({
    queryKey: [project.id, 'audit-log', query],
    queryFn: () => unwrap(person.projects.auditLog(project.id, query)),
    placeholderData: keepPreviousData,
  })
  return (
    <List
      list={list}
      title="Audit log"
      lead="Newest first. Nobody can change it."
      label="Audit log"
      head={['Act', { wide: 'Who' }, { wide: 'Details' }, { wide: 'From' }, 'When']}
      row={(entry) => (
        <Row>
          <Cell>
            <Badge>{entry.act}</Badge>
            <OnPhone>{entry.actor.email ?? ACTORS[entry.actor.type]}</OnPhone>
          </Cell>
          <Cell wide className="whitespace-nowrap">
            {entry.actor.email ?? ACTORS[entry.actor.type]}
          </Cell>
          <Cell wide className="w-full max-w-72 truncate text-soft">
            {dataInWords(entry.details)}
          </Cell>
          <Cell wide className="text-soft">
            {entry.ip ?? '–'}
          </Cell>
          <MomentCell at={entry.createdAt} />
        </Row>
      )}
      empty={<p className="px-5 pb-5 text-sm text-soft">Nothing is recorded yet.</p>}
    />
  )
}
