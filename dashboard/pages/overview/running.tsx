/** Campaigns that are being sent or scheduled, and enabled workflows. */
import { useQuery } from '@tanstack/react-query'
import { projectPage } from '../../addresses.ts'
import { unwrap } from '../../data/api.ts'
import { useLiveQueries } from '../../data/live.ts'
import { useApi } from '../../data/project.ts'
import { Moment } from '../../figures/moment.tsx'
import { Link } from '../../links.tsx'
import { Progress } from '../../lists/progress.tsx'
import { Card } from '../../shell/page.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { CampaignStatus } from '../campaigns/status.tsx'
import { useWorkflowCounts } from '../workflows/use-counts.ts'
import { texts } from './texts.ts'
import { useRunningCampaigns } from './use-running-campaigns.ts'

const SHOWN_MAX = 5

export function Running() {
  const { projectId, api } = useApi()
  const campaigns = useRunningCampaigns()
  const { data: workflows } = useQuery({
    queryKey: [projectId, 'workflows', 'running'],
    queryFn: async () => (await unwrap(api.workflows.list())).data.filter(({ enabled }) => enabled),
  })
  const counts = useWorkflowCounts(workflows !== undefined && workflows.length > 0)
  useLiveQueries([[projectId, 'campaigns', 'running']], ({ type }) => /^(campaign|email)\./.test(type))
  const figuresOf = (id: string) => {
    const found = counts[id]
    return found ? texts.running.executions(found.active, found.completed) : ''
  }
  if (!campaigns?.length && !workflows?.length) return null
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      {campaigns && campaigns.length > 0 && (
        <Card title={texts.running.campaigns}>
          <ul className="space-y-4 text-sm">
            {campaigns.map((campaign) => (
              <li key={campaign.id}>
                <div className="flex items-center justify-between gap-3">
                  <Link
                    to={projectPage(projectId, 'campaigns/$id', { id: campaign.id })}
                    className="min-w-0 truncate font-medium hover:underline"
                  >
                    {campaign.name}
                  </Link>
                  <CampaignStatus campaign={campaign} />
                </div>
                {campaign.status === 'SENDING' ? (
                  <div className="mt-2">
                    <Progress
                      percent={(campaign.sentCount / Math.max(1, campaign.totalRecipients)) * 100}
                      label={texts.running.progress(campaign.sentCount, campaign.totalRecipients)}
                    />
                  </div>
                ) : (
                  <p className="mt-0.5 text-soft">
                    <RichText
                      text={texts.running.starts}
                      elements={{ time: () => <Moment at={campaign.scheduledFor} relative /> }}
                    />
                  </p>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {workflows && workflows.length > 0 && (
        <Card title={texts.running.workflows}>
          <ul className="space-y-4 text-sm">
            {workflows.slice(0, SHOWN_MAX).map((workflow) => (
              <li key={workflow.id}>
                <div className="flex items-center justify-between gap-3">
                  <Link
                    to={projectPage(projectId, 'workflows/$id', { id: workflow.id })}
                    className="min-w-0 truncate font-medium hover:underline"
                  >
                    {workflow.name}
                  </Link>
                  <span className="shrink-0 text-soft">{texts.running.trigger(workflow.triggerConfig?.eventName)}</span>
                </div>
                <p className="figures mt-0.5 min-h-5 text-soft">{figuresOf(workflow.id)}</p>
              </li>
            ))}
          </ul>
          {workflows.length > SHOWN_MAX && (
            <Link to={projectPage(projectId, 'workflows')} className="mt-3 block text-sm text-accent underline">
              {texts.running.allWorkflows(workflows.length)}
            </Link>
          )}
        </Card>
      )}
    </div>
  )
}
