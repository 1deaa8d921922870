/** Captured mail isn't delivered, so these buttons simulate an open, click, bounce or complaint. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useIsCaptured } from '../../mail/captured-notice.tsx'
import { Card } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

type Outcome = keyof typeof texts.simulate.outcomes

/** A server that refused an email has shown it to nobody. */
const AFTER_DELIVERY = new Set<Outcome>(['open', 'click', 'complaint'])

const OUTCOMES = Object.entries(texts.simulate.outcomes) as [Outcome, { label: string; action: string }][]

export function Simulate({ email }: { email: Schemas['EmailWithContent'] }) {
  const { projectId, api } = useApi()
  const captured = useIsCaptured()
  const queries = useQueryClient()
  const toast = useToast()
  const [busy, setBusy] = useState('')
  if (!captured || !email.sentAt || email.sourceType === 'INBOUND') return null
  const simulateOutcome = async (outcome: Outcome) => {
    setBusy(outcome)
    const { error } = await api.emails.simulate(email.id, { outcome })
    setBusy('')
    if (error) return toast.failed(error)
    void queries.invalidateQueries({ queryKey: [projectId] })
  }
  return (
    <Card title={texts.simulate.title} lead={texts.simulate.lead}>
      <div className="flex flex-wrap gap-2">
        {OUTCOMES.filter(([outcome]) => !email.bouncedAt || !AFTER_DELIVERY.has(outcome)).map(
          ([outcome, { label, action }]) => (
            <Button
              key={outcome}
              aria-label={action}
              busy={busy === outcome}
              onClick={() => void simulateOutcome(outcome)}
            >
              {label}
            </Button>
          ),
        )}
      </div>
    </Card>
  )
}
