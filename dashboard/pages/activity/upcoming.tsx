/** What is about to happen: scheduled campaigns, and people who wait in workflows. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Moment } from '../../parts/moment.tsx'
import { Card } from '../../parts/page.tsx'
import { useApi } from '../../project.ts'

export function Upcoming() {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'activity', 'upcoming'],
    queryFn: async () => (await unwrap(api.activity.upcoming({ limit: 10 }))).data,
    refetchInterval: 15_000,
  })
  return (
    <Card title="Coming up">
      {data?.length === 0 && <p className="text-sm text-soft">Nothing is planned.</p>}
      <ol className="space-y-3.5 text-sm">
        {data?.map((item) => (
          <li key={`${item.campaignId ?? item.executionId} ${item.at}`}>
            <p className="flex justify-between gap-3">
              <Link
                to={inProjectPath(projectId, placeOf(item))}
                className="min-w-0 truncate font-medium hover:underline"
              >
                {item.name ?? 'Unnamed'}
              </Link>
              <span className="text-soft">
                <Moment at={item.at} relative />
              </span>
            </p>
            <p className="truncate text-soft">
              {item.type === 'campaign.scheduled'
                ? 'Campaign starts'
                : `${item.contact?.email ?? 'A contact'} ${item.awaitedEvent ? `waits for ${item.awaitedEvent}` : 'goes on'}`}
            </p>
          </li>
        ))}
      </ol>
    </Card>
  )
}

const placeOf = (item: { campaignId: string | null; workflowId: string | null; executionId: string | null }): string =>
  item.campaignId ? `campaigns/${item.campaignId}` : `workflows/${item.workflowId}/executions/${item.executionId}`
