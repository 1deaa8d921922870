/** The audit log: changes to keys, members, domains and limits. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { unwrap, userApi } from '../../../data/api.ts'
import { useProject, useSearchState } from '../../../data/project.ts'
import { Moment } from '../../../figures/moment.tsx'
import { List, ListFilter } from '../../../lists/list.tsx'
import { Cell, OnPhone, Row } from '../../../lists/table.tsx'
import { keyName } from '../../../shell/texts.ts'
import { texts } from '../texts.ts'
import { describeDetails } from './describe-audit.ts'

const { column, apiKey, system } = texts.auditLog
const actions: Record<string, string> = texts.auditLog.actions

export function AuditLogTab() {
  const project = useProject()
  const [{ cursor, act = '' }] = useSearchState<'cursor' | 'act'>()
  const query = { limit: 50, cursor, act: (act || undefined) as keyof typeof texts.auditLog.actions | undefined }
  const list = useQuery({
    queryKey: [project.id, 'audit-log', query],
    queryFn: () => unwrap(userApi.projects.auditLog(project.id, query)),
    placeholderData: keepPreviousData,
  })
  return (
    <List
      list={list}
      label={texts.auditLog.title}
      tools={
        <ListFilter
          label={texts.auditLog.filter}
          name="act"
          options={{ '': texts.auditLog.anyAction, ...texts.auditLog.actions }}
        />
      }
      head={[column.action, { wide: column.actor }, { wide: column.details }, { wide: column.date }]}
      row={(entry) => (
        <Row>
          <Cell className="align-top max-sm:w-full max-sm:max-w-0">
            <span className="font-medium sm:whitespace-nowrap">{actions[entry.act] ?? entry.act}</span>
            <OnPhone>
              {nameOf(entry.actor)} · <Moment at={entry.createdAt} relative />
            </OnPhone>
            <OnPhone>
              <Details act={entry.act} details={entry.details} />
            </OnPhone>
          </Cell>
          <Cell wide className="align-top whitespace-nowrap">
            {nameOf(entry.actor)}
            {entry.ip && (
              <span className="block text-[0.8125rem] text-soft" title={texts.auditLog.address}>
                {entry.ip}
              </span>
            )}
          </Cell>
          <Cell wide className="w-full min-w-32 align-top text-soft">
            <Details act={entry.act} details={entry.details} />
          </Cell>
          <Cell wide className="align-top whitespace-nowrap text-soft first-letter:uppercase">
            <Moment at={entry.createdAt} relative />
          </Cell>
        </Row>
      )}
      empty={<p className="px-5 pb-5 text-sm text-soft">{texts.auditLog.empty}</p>}
    />
  )
}

/** The address of a person, or the name of a key. */
function nameOf({ type, id, name }: { type: 'user' | 'key' | 'system'; id: string | null; name: string | null }) {
  if (type === 'key' && id && name) return apiKey(name)
  return name === null ? system : keyName(name)
}

const Details = ({ act, details }: { act: string; details: Record<string, unknown> }) => (
  <ul className="space-y-1 wrap-anywhere">
    {describeDetails(act, details).map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
)
