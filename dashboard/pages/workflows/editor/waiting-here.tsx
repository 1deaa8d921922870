/** How many contacts wait at a step, and what can be done for all of them at once. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../data/project.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { MoveMenu } from '../move-menu.tsx'
import type { Workflow } from '../steps/step.ts'
import { texts } from '../texts.ts'

const T = texts.moves

/** Where they go; null only skips the wait. */
type Destination = { id: string; name: string } | null

export function WaitingHere({ workflow, stepId, contacts }: { workflow: Workflow; stepId: string; contacts: number }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [asked, setAsked] = useState<{ to: Destination }>()
  const move = async (to: Destination) => {
    const { steps } = api.workflows
    const { error } = await (to
      ? steps.moveExecutions(workflow.id, stepId, { stepId: to.id })
      : steps.skipWait(workflow.id, stepId))
    setAsked(undefined)
    if (error) return toast.failed(error)
    toast.done(T.allContinue)
    void queries.invalidateQueries({ queryKey: [projectId, 'workflows', workflow.id] })
  }
  return (
    <section className="space-y-2 border-t border-line pt-4">
      <p className="text-sm text-soft">{T.waitingHere(contacts)}</p>
      <MoveMenu
        label={T.all}
        stepId={stepId}
        steps={workflow.steps}
        onSkip={() => setAsked({ to: null })}
        onMove={(to) => setAsked({ to })}
      />
      <Dialog open={asked !== undefined} onClose={() => setAsked(undefined)} title={T.title(contacts)} disposable>
        <p className="text-sm text-soft">{asked?.to ? T.movesTo(asked.to.name) : T.skipsWait}</p>
        <DialogActions>
          <Button onClick={() => setAsked(undefined)}>{T.leave}</Button>
          <Button kind="primary" onClick={() => asked && void move(asked.to)}>
            {T.confirm}
          </Button>
        </DialogActions>
      </Dialog>
    </section>
  )
}
