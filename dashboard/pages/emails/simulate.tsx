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

export function Simulate({ email }: { email: Schemas['EmailWithContent'] }) {
  const { projectId, api } = useApi()
  const captured = useIsCaptured()
  const queries = useQueryClient()
  const toast = useToast()
  const [busy, setBusy] = useState('')
  if (!captured || !email.sentAt || email.sourceType === 'INBOUND') return null
  const simulateOutcome = async (outcome: string) => {
    setBusy(outcome)
    const { error } = await api.emails.simulate(email.id, { outcome } as never)
    setBusy('')
    if (error) return toast.failed(error)
    void queries.invalidateQueries({ queryKey: [projectId] })
  }
  return (
    <Card title={texts.simulate.title} lead={texts.simulate.lead}>
      <div className="flex flex-wrap gap-2">
        {Object.entries(texts.simulate.outcomes).map(([outcome, { label, action }]) => (
          <Button
            key={outcome}
            aria-label={action}
            busy={busy === outcome}
            onClick={() => void simulateOutcome(outcome)}
          >
            {label}
          </Button>
        ))}
      </div>
    </Card>
  )
}
