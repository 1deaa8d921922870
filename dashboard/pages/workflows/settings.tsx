/** The settings of a workflow: name, description, trigger, re-entry and tags. */
import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useApi } from '../../data/project.ts'
import { useDraft } from '../../data/use-draft.ts'
import { Problem } from '../../lists/problem.tsx'
import { Tags } from '../../lists/tags.tsx'
import { useSave } from '../../saving/use-save.tsx'
import { Card } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { fieldError, Input, TextArea } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Workflow } from './steps/step.ts'
import { texts } from './texts.ts'
import { settingLabel, TRIGGER_FIELDS, TriggerFields, triggerChanges, triggerOf } from './trigger-fields.tsx'

const T = texts.settings

const draftOf = (workflow: Workflow) => ({
  name: workflow.name,
  description: workflow.description ?? '',
  ...triggerOf(workflow),
})

export function WorkflowSettings({ workflow }: { workflow: Workflow }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const form = useDraft(draftOf(workflow), { readAt: workflow.updatedAt, follow: true })
  const { draft, set, changed } = form
  const { save, dialog, busy, error, problem } = useSave(form, {
    read: () => api.workflows.get(workflow.id),
    save: (draft, condition) => {
      const { name, description } = draft
      const changes = { name, description: description || null, ...triggerChanges(draft) }
      return api.workflows.update(workflow.id, changes, condition)
    },
    draftOf,
    labelOf: settingLabel,
    onSaved: () => {
      toast.done(T.saved)
      void queries.invalidateQueries({ queryKey: [projectId, 'workflows'] })
    },
  })
  const saveSettings = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <div className="max-w-2xl space-y-6 pt-5">
      <Card title={T.general}>
        <form onSubmit={saveSettings} className="space-y-4">
          <Input
            label={texts.name}
            required
            value={draft.name}
            error={fieldError(error, 'name')}
            onChange={(event) => set({ name: event.target.value })}
          />
          <TextArea
            label={texts.description}
            rows={2}
            value={draft.description}
            error={fieldError(error, 'description')}
            onChange={(event) => set({ description: event.target.value })}
          />
          <h2 className="border-t border-line pt-5 font-semibold tracking-tight">{T.triggerTitle}</h2>
          <TriggerFields trigger={draft} error={error} onChange={set} />
          {dialog}
          {problem && <Problem error={problem} shown={['name', 'description', ...TRIGGER_FIELDS]} />}
          <Button kind="primary" shortcut="save" type="submit" busy={busy} saved={!changed}>
            {T.save}
          </Button>
        </form>
      </Card>
      <Card title={T.tags} lead={T.tagsLead}>
        <Tags kind="workflows" item={workflow} />
      </Card>
    </div>
  )
}
