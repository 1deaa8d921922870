/** The status of a response, with its error code. */
import type { Schemas } from '../../data/api.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

const toneOf = (status: number): Tone => (status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good')

export const RequestStatus = ({ request: { status, code } }: { request: Schemas['ApiRequest'] }) => (
  <Badge tone={toneOf(status)}>{code ? `${status} ${code}` : String(status)}</Badge>
)
