/** The trigger of a workflow, edited beside the graph. It isn't part of the draft: it is saved on its own. */
import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useApi } from '../../../data/project.ts'
import { useDraft } from '../../../data/use-draft.ts'
import { Problem } from '../../../lists/problem.tsx'
import { useSave } from '../../../saving/use-save.tsx'
import { Button } from '../../../ui/button.tsx'
import { useToast } from '../../../ui/toast.tsx'
import type { Workflow } from '../steps/step.ts'
import { texts } from '../texts.ts'
import { settingLabel, TRIGGER_FIELDS, TriggerFields, triggerChanges, triggerOf } from '../trigger-fields.tsx'
import { Panel } from './panel.tsx'

/** Kept while the editor is open, so that closing the panel loses nothing. */
export const useTriggerDraft = (workflow: Workflow) =>
  useDraft(triggerOf(workflow), { readAt: workflow.updatedAt, follow: true })

interface TriggerPanelProps {
  workflow: Workflow
  draft: ReturnType<typeof useTriggerDraft>
  focus: number
  onClose(): void
}

export function TriggerPanel({ workflow, draft: form, focus, onClose }: TriggerPanelProps) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { draft, set, changed } = form
  const { save, dialog, busy, error, problem } = useSave(form, {
    read: () => api.workflows.get(workflow.id),
    save: (draft, condition) => api.workflows.update(workflow.id, triggerChanges(draft), condition),
    draftOf: triggerOf,
    labelOf: settingLabel,
    onSaved: () => {
      toast.done(texts.trigger.saved)
      void queries.invalidateQueries({ queryKey: [projectId, 'workflows'] })
    },
  })
  const saveTrigger = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <Panel
      label={texts.trigger.title}
      lead={texts.trigger.lead}
      focus={focus}
      onSubmit={saveTrigger}
      onClose={onClose}
      footer={
        <Button kind="primary" type="submit" busy={busy} disabled={!changed}>
          {texts.trigger.save}
        </Button>
      }
    >
      <TriggerFields trigger={draft} error={error} onChange={set} />
      {dialog}
      {problem && <Problem error={problem} shown={TRIGGER_FIELDS} />}
    </Panel>
  )
}
