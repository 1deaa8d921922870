/** The settings of a workflow: name, trigger and re-entry. */
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Checkbox, Input, Select, TextArea, wrongAt } from '../../parts/field.tsx'
import { Card } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import { EventInput } from './steps/fields.tsx'
import type { Workflow } from './steps/step.ts'
import { TEXTS } from './texts.ts'

const T = TEXTS.settings

export function WorkflowSettings({ workflow }: { workflow: Workflow }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { act, busy, error, problem } = useAct()
  const [draft, setDraft] = useState({
    name: workflow.name,
    description: workflow.description ?? '',
    triggerType: workflow.triggerType,
    eventName: workflow.triggerConfig?.eventName ?? '',
    allowReentry: workflow.allowReentry,
  })
  const saveSettings = async (event: FormEvent) => {
    event.preventDefault()
    const { eventName, description, ...others } = draft
    const changes = { ...others, description: description || null, eventName: eventName.trim() || null }
    if (!(await act(api.workflows.update(workflow.id, changes)))) return
    toast.done(T.saved)
    void queries.invalidateQueries({ queryKey: [projectId, 'workflows'] })
  }
  return (
    <div className="max-w-2xl pt-5">
      <Card>
        <form onSubmit={saveSettings} className="space-y-4">
          <Input
            label={TEXTS.name}
            required
            value={draft.name}
            wrong={wrongAt(error, 'name')}
            onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          />
          <TextArea
            label={TEXTS.description}
            rows={2}
            value={draft.description}
            wrong={wrongAt(error, 'description')}
            onChange={(event) => setDraft({ ...draft, description: event.target.value })}
          />
          <Select
            label={T.trigger}
            value={draft.triggerType}
            options={T.triggers}
            onChange={(event) => setDraft({ ...draft, triggerType: event.target.value as typeof draft.triggerType })}
          />
          {draft.triggerType === 'EVENT' && (
            <EventInput
              label={TEXTS.event}
              value={draft.eventName}
              wrong={wrongAt(error, 'eventName')}
              onChange={(eventName) => setDraft({ ...draft, eventName })}
            />
          )}
          <Checkbox
            label={T.allowReentry}
            checked={draft.allowReentry}
            onChange={(event) => setDraft({ ...draft, allowReentry: event.target.checked })}
          />
          {problem && !error?.errors && <Problem error={problem} />}
          <Button kind="primary" type="submit" busy={busy}>
            {T.save}
          </Button>
        </form>
      </Card>
    </div>
  )
}
