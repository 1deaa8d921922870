/** With captured mail nobody answers, so you can: open it, click, bounce, complain. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Schemas, useConfig } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'

const OUTCOMES = { open: 'Open', click: 'Click', bounce: 'Bounce', softbounce: 'Soft bounce', complaint: 'Complain' }

export function Simulate({ email }: { email: Schemas['EmailWithContent'] }) {
  const { projectId, api } = useApi()
  const captured = useConfig()?.features.transport === 'capture'
  const queries = useQueryClient()
  const toast = useToast()
  const [busy, setBusy] = useState('')
  if (!captured || !email.sentAt || email.sourceType === 'INBOUND') return null
  const plays = async (outcome: string) => {
    setBusy(outcome)
    const { error } = await api.emails.simulate(email.id, { outcome } as never)
    setBusy('')
    if (error) return toast.failed(error)
    void queries.invalidateQueries({ queryKey: [projectId] })
  }
  return (
    <Card title="Play the recipient" lead="Mail is captured here; the rest is as if it were real.">
      <div className="flex flex-wrap gap-2">
        {Object.entries(OUTCOMES).map(([outcome, words]) => (
          <Button key={outcome} busy={busy === outcome} onClick={() => void plays(outcome)}>
            {words}
          </Button>
        ))}
      </div>
    </Card>
  )
}
