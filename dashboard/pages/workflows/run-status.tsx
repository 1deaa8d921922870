/** The status of an execution or of one of its steps. */
import { Badge, statusLabel, type Tone } from '../../ui/badge.tsx'

const TONES: Record<string, Tone> = {
  RUNNING: 'info',
  WAITING: 'warn',
  COMPLETED: 'good',
  FAILED: 'bad',
}

export const RunStatus = ({ status }: { status: string }) => (
  <Badge tone={TONES[status] ?? 'neutral'}>{statusLabel(status)}</Badge>
)
