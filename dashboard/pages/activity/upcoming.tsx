/** Scheduled campaigns, and contacts that are waiting in workflows. */
import type { Answer } from '@posthorn/sdk'
import { useQuery } from '@tanstack/react-query'
import { type Address, projectPage } from '../../addresses.ts'
import { unwrap } from '../../data/api.ts'
import { useLiveQueries } from '../../data/live.ts'
import { useApi } from '../../data/project.ts'
import { Moment } from '../../figures/moment.tsx'
import { Link } from '../../links.tsx'
import { Card } from '../../shell/page.tsx'
import { texts } from './texts.ts'

type Item = Answer<'GET /activity/upcoming'>['data'][number]

export function Upcoming() {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'activity', 'upcoming'],
    queryFn: async () => (await unwrap(api.activity.upcoming({ limit: 10 }))).data,
  })
  useLiveQueries([[projectId, 'activity', 'upcoming']], ({ type }) => !type.startsWith('email.'))
  return (
    <Card title={texts.upcoming.title}>
      {data?.length === 0 && <p className="text-sm text-soft">{texts.upcoming.empty}</p>}
      <ol className="space-y-3.5 text-sm">
        {data?.map((item) => (
          <li key={`${item.campaignId ?? item.executionId ?? item.emailId} ${item.at}`}>
            <p className="flex justify-between gap-3">
              <Link to={addressOf(projectId, item)} className="min-w-0 truncate font-medium hover:underline">
                {item.name ?? texts.upcoming.unnamed}
              </Link>
              <span className="text-soft">
                <Moment at={item.at} relative />
              </span>
            </p>
            <p className="break-words text-soft">{describe(item)}</p>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function describe(item: Item): string {
  if (item.type === 'campaign.scheduled') return texts.upcoming.campaignStarts
  const email = item.contact?.email
  if (item.type === 'email.scheduled') return texts.upcoming.emailSent(email)
  return item.awaitedEvent ? texts.upcoming.waits(email, item.awaitedEvent) : texts.upcoming.continues(email)
}

function addressOf(projectId: string, { campaignId, workflowId, executionId, emailId }: Item): Address {
  if (emailId) return projectPage(projectId, 'emails/$id', { id: emailId })
  if (campaignId) return projectPage(projectId, 'campaigns/$id', { id: campaignId })
  return projectPage(projectId, 'workflows/$id/executions/$executionId', {
    id: workflowId ?? '',
    executionId: executionId ?? '',
  })
}
