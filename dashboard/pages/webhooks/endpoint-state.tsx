/** Whether an endpoint gets events, and why not. */
import type { Schemas } from '../../data/api.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { texts } from './texts.ts'

export type Endpoint = Schemas['WebhookEndpoint']
export type EndpointDetails = Schemas['WebhookEndpointDetails']

const stateOf = ({ enabled, disabledReason, failingSince }: Endpoint): [Tone, string] => {
  if (disabledReason) return ['bad', texts.states[disabledReason]]
  if (!enabled) return ['neutral', texts.states.disabled]
  return failingSince ? ['bad', texts.states.failing] : ['good', texts.states.working]
}

export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  const [tone, label] = stateOf(endpoint)
  return <Badge tone={tone}>{label}</Badge>
}
