/** Starts the workflow for one contact or for a segment. */
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../../data/project.ts'
import { useAction } from '../../../data/use-action.ts'
import { Problem } from '../../../lists/problem.tsx'
import { SegmentPicker, useSegments } from '../../../pickers/segment-picker.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/field.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { ContactPicker } from '../../contacts/picker.tsx'
import type { Workflow } from '../steps/step.ts'
import { texts } from '../texts.ts'

const T = texts.start

export function StartDialog({ workflow, onClose }: { workflow: Workflow; onClose(): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, problem } = useAction()
  const [audience, setAudience] = useState<'contact' | 'segment'>('contact')
  const [contact, setContact] = useState<{ id: string; email: string }>()
  const [segmentId, setSegmentId] = useState('')
  const segments = useSegments()
  const segment = segments?.find(({ id }) => id === segmentId)
  const startWorkflow = async (event: FormEvent) => {
    event.preventDefault()
    if (audience === 'contact' && contact) {
      if (!(await run(api.workflows.executions.start(workflow.id, { contactId: contact.id })))) return
      toast.done(T.startedContact(contact.email))
    } else if (audience === 'segment' && segment) {
      if (!(await run(api.workflows.executions.startSegment(workflow.id, { segmentId })))) return
      toast.done(T.startedSegment(segment.name))
    } else return
    void queries.invalidateQueries({ queryKey: [projectId, 'workflows', workflow.id] })
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={T.title} lead={T.lead}>
      <form onSubmit={startWorkflow} className="space-y-4">
        <Select
          label={T.audience}
          value={audience}
          options={T.audiences}
          onChange={(event) => setAudience(event.target.value as typeof audience)}
        />
        {audience === 'contact' ? (
          <ContactPicker label={texts.simulation.contact} chosen={contact} onChoose={setContact} />
        ) : (
          <SegmentPicker
            label={T.segment}
            value={segmentId}
            hint={segment ? T.segmentSize(segment.memberCount) : undefined}
            onChoose={setSegmentId}
          />
        )}
        {problem && <Problem error={problem} />}
        <DialogActions>
          <Button onClick={onClose}>{texts.list.cancel}</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={audience === 'contact' ? !contact : !segment}>
            {T.submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
