/** Problems that need attention: reputation, domains, campaigns that could not start, webhook endpoints and steps that fail. */
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { type Address, projectPage } from '../../addresses.ts'
import { unwrap, userApi } from '../../data/api.ts'
import { useLiveQueries } from '../../data/live.ts'
import { useApi } from '../../data/project.ts'
import { highRates } from '../../figures/reputation.ts'
import { Link } from '../../links.tsx'
import { useIsCaptured } from '../../mail/captured-notice.tsx'
import { texts } from './texts.ts'
import { useHeldCampaigns } from './use-running-campaigns.ts'

interface Alert {
  text: string
  action: string
  to: Address
  severe: boolean
}

/** More would push everything else off the page; the workflows list the rest. */
const FAILURES_MAX = 5
/** A project can't have more. */
const ENDPOINTS_MAX = 20

export function Alerts() {
  const alerts = useAlerts()
  if (alerts.length === 0) return null
  return (
    <ul className="space-y-2">
      {alerts.map(({ text, action, to, severe }) => (
        <li
          key={text}
          className={`flex flex-wrap items-center gap-x-3 gap-y-1 rounded-card border px-4 py-3 text-sm ${severe ? 'border-bad/30 bg-bad-wash' : 'border-warn/30 bg-warn-wash'}`}
        >
          <TriangleAlert className={`size-4 shrink-0 ${severe ? 'text-bad' : 'text-warn'}`} aria-hidden />
          <span className="min-w-0 flex-1 basis-56">{text}</span>
          <Link to={to} className="font-medium underline underline-offset-2">
            {action}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function useAlerts(): Alert[] {
  const { projectId, api } = useApi()
  const captured = useIsCaptured()
  const { data: security } = useQuery({
    queryKey: [projectId, 'security'],
    queryFn: () => unwrap(userApi.projects.security(projectId)),
  })
  const { data: domains } = useQuery({
    queryKey: [projectId, 'domains'],
    queryFn: () => unwrap(api.domains.list(projectId)),
  })
  const held = useHeldCampaigns()
  const { data: failures } = useQuery({
    queryKey: [projectId, 'workflows', 'failures'],
    queryFn: () => unwrap(api.workflows.failures()),
  })
  const { data: failingEndpoints } = useQuery({
    queryKey: [projectId, 'webhooks', 'failing'],
    queryFn: async () =>
      (await unwrap(api.webhookEndpoints.list({ limit: ENDPOINTS_MAX }))).data.filter(
        ({ disabledReason, enabled, failingSince }) => disabledReason || (enabled && failingSince),
      ),
  })
  useLiveQueries([[projectId, 'workflows', 'failures']], ({ type }) => type === 'workflow.failed')
  const alerts: Alert[] = []
  if (security && security.status !== 'healthy') {
    const rates = highRates(security).map(texts.alerts.highRate)
    alerts.push({
      text: [...(security.isDisabled ? [texts.alerts.disabled] : []), ...rates].join(' '),
      action: texts.alerts.viewReputation,
      to: projectPage(projectId, 'settings', { tab: 'security' }),
      severe: security.status === 'critical' || security.isDisabled,
    })
  }
  for (const { domain, status } of captured ? [] : (domains ?? [])) {
    if (status === 'VERIFIED') continue
    const text = status === 'FAILED' ? texts.alerts.domainFailed(domain) : texts.alerts.domainPending(domain)
    alerts.push({
      text,
      action: texts.alerts.viewDomain,
      to: projectPage(projectId, 'domains'),
      severe: status === 'FAILED',
    })
  }
  for (const { id, name, heldReason } of held ?? []) {
    alerts.push({
      text: texts.alerts.campaignHeld(name, heldReason ?? ''),
      action: texts.alerts.viewCampaign,
      to: projectPage(projectId, 'campaigns/$id', { id }),
      severe: true,
    })
  }
  for (const { id, url, disabledReason } of failingEndpoints ?? []) {
    alerts.push({
      text: disabledReason ? texts.alerts.endpointDisabled(url) : texts.alerts.endpointFailing(url),
      action: texts.alerts.viewEndpoint,
      to: projectPage(projectId, 'webhooks/$id', { id }),
      severe: disabledReason !== null,
    })
  }
  for (const failure of (failures ?? []).slice(0, FAILURES_MAX)) {
    const { type, stepName, workflowName, workflowId, failed, error } = failure
    const step = texts.alerts.failedStep(stepName, type === 'WEBHOOK')
    alerts.push({
      text: texts.alerts.stepFailed(step, workflowName, failed, error),
      action: texts.alerts.viewFailures,
      to: projectPage(projectId, 'workflows/$id', { id: workflowId, tab: 'executions', status: 'FAILED' }),
      severe: false,
    })
  }
  return alerts
}
