/** The segments that contain a contact, and the workflows it went through. */
import { useQuery } from '@tanstack/react-query'
import { projectPage } from '../../../addresses.ts'
import { unwrap } from '../../../data/api.ts'
import type { Activity } from '../../../data/live.ts'
import { useApi } from '../../../data/project.ts'
import { Moment } from '../../../figures/moment.tsx'
import { Link } from '../../../links.tsx'
import { Card } from '../../../shell/page.tsx'
import { RunStatus } from '../../../ui/badge.tsx'
import { texts } from '../texts.ts'

export function ContactSegments({ contactId }: { contactId: string }) {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'contacts', contactId, 'segments'],
    queryFn: () => unwrap(api.contacts.segments(contactId)),
  })
  return (
    <Card title={texts.segments.title}>
      {data?.length === 0 && <p className="text-sm text-soft">{texts.segments.empty}</p>}
      <ul className="flex flex-wrap gap-2 text-sm">
        {data?.map(({ id, name }) => (
          <li key={id} className="min-w-0">
            <Link
              to={projectPage(projectId, 'segments/$id', { id })}
              className="block truncate rounded-full border border-line-strong px-3 py-1 hover:bg-panel"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const TYPES = 'workflow.started,workflow.completed,workflow.failed'
const SHOWN = 10

/** The latest activity of each execution. */
const latestOf = (items: Activity[]): Activity[] => {
  const executions = new Map<unknown, Activity>()
  for (const item of items)
    if (!executions.has(item.metadata.executionId)) executions.set(item.metadata.executionId, item)
  return [...executions.values()].slice(0, SHOWN)
}

export function ContactWorkflows({ contactId }: { contactId: string }) {
  const { projectId, api } = useApi()
  /** Whether one that started still runs, waits or was canceled, its activity doesn't tell. */
  const statusOf = async ({ type, metadata }: Activity): Promise<string> => {
    if (type !== 'workflow.started') return type === 'workflow.failed' ? 'FAILED' : 'COMPLETED'
    const { data } = await api.workflows.executions.get(String(metadata.workflowId), String(metadata.executionId))
    return data?.status ?? 'RUNNING'
  }
  const { data } = useQuery({
    queryKey: [projectId, 'contacts', contactId, 'workflows'],
    queryFn: async () => {
      const query = { contactId, types: TYPES, limit: 2 * SHOWN }
      const latest = latestOf((await unwrap(api.activity.list(query))).data)
      return Promise.all(latest.map(async (item) => ({ ...item, status: await statusOf(item) })))
    },
  })
  return (
    <Card title={texts.workflows.title}>
      {data?.length === 0 && <p className="text-sm text-soft">{texts.workflows.empty}</p>}
      <ul className="space-y-2.5 text-sm">
        {data?.map(({ id, status, timestamp, metadata }) => (
          <li key={id} className="flex items-center justify-between gap-3">
            <Link
              to={projectPage(projectId, 'workflows/$id/executions/$executionId', {
                id: String(metadata.workflowId),
                executionId: String(metadata.executionId),
              })}
              className="min-w-0 truncate font-medium hover:underline"
            >
              {String(metadata.name ?? texts.workflows.unnamed)}
            </Link>
            <span className="flex shrink-0 items-center gap-2 text-soft">
              <RunStatus status={status} />
              <Moment at={timestamp} relative />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
