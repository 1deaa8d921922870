/** The project's name and manners; and the two acts that cannot be undone. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { person, projectsQuery, unwrap } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Input, Select, wrongAt } from '../../parts/field.tsx'
import { Card } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useManages, useProject } from '../../project.ts'
import { useAct } from '../../use-act.ts'

const TRACKING = {
  ENABLED: 'Opens and clicks of all template mail',
  MARKETING_ONLY: 'Of marketing mail only',
  DISABLED: 'Not at all',
}

export function ProjectTab() {
  const project = useProject()
  const manages = useManages()
  const queries = useQueryClient()
  const toast = useToast()
  const { act, busy, error, problem } = useAct()
  const [draft, setDraft] = useState({ name: project.name, tracking: project.tracking, language: project.language })
  const saves = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await act(person.projects.update(project.id, draft)))) return
    toast.done('Settings saved.')
    void queries.invalidateQueries(projectsQuery)
  }
  return (
    <>
      <Card title="Project">
        <form onSubmit={saves} className="max-w-lg">
          <fieldset disabled={!manages} className="space-y-4">
            <legend className="sr-only">The project</legend>
            <Input
              label="Name"
              required
              maxLength={100}
              value={draft.name}
              wrong={wrongAt(error, 'name')}
              onChange={(event) => setDraft({ ...draft, name: event.target.value })}
            />
            <Select
              label="Tracking"
              value={draft.tracking}
              options={TRACKING}
              onChange={(event) => setDraft({ ...draft, tracking: event.target.value as typeof draft.tracking })}
            />
            <Input
              label="Language"
              hint="Of the footer and the unsubscribe pages, when a contact has no locale of its own: en, de, fr…"
              value={draft.language}
              wrong={wrongAt(error, 'language')}
              onChange={(event) => setDraft({ ...draft, language: event.target.value })}
            />
            {problem && !error?.errors && <Problem error={problem} />}
            {manages ? (
              <Button kind="primary" type="submit" busy={busy}>
                Save settings
              </Button>
            ) : (
              <p className="text-sm text-soft">Owners and admins can change this.</p>
            )}
          </fieldset>
        </form>
      </Card>
      {manages && <Danger />}
    </>
  )
}

function Danger() {
  const project = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const [open, setOpen] = useState<'reset' | 'delete'>()
  const resets = async () => {
    await unwrap(person.projects.reset(project.id, { confirm: project.name }))
    toast.done('The project is empty again.')
    void queries.invalidateQueries({ queryKey: [project.id] })
  }
  const deletes = async () => {
    await unwrap(person.projects.delete(project.id))
    localStorage.removeItem('posthorn.project')
    await navigate({ to: '/' })
    queries.clear()
  }
  return (
    <Card title="No way back">
      <ul className="divide-y divide-line text-sm">
        <li className="flex flex-wrap items-center justify-between gap-3 pb-4">
          <p className="max-w-xl text-soft">
            <span className="block font-medium text-ink">Reset</span>
            Wipes contacts, events, templates and everything else. Project, keys, members and domains stay.
          </p>
          <Button kind="danger" onClick={() => setOpen('reset')}>
            Reset the project
          </Button>
        </li>
        <li className="flex flex-wrap items-center justify-between gap-3 pt-4">
          <p className="max-w-xl text-soft">
            <span className="block font-medium text-ink">Delete</span>
            The project with all it has. Its keys stop working at once.
          </p>
          <Button kind="danger" onClick={() => setOpen('delete')}>
            Delete the project
          </Button>
        </li>
      </ul>
      <Confirm
        open={open === 'reset'}
        onClose={() => setOpen(undefined)}
        title={`Reset ${project.name}?`}
        name={project.name}
        act="Reset the project"
        onAct={resets}
      >
        <p>All contacts, events, templates, campaigns, segments, workflows and emails are wiped.</p>
      </Confirm>
      <Confirm
        open={open === 'delete'}
        onClose={() => setOpen(undefined)}
        title={`Delete ${project.name}?`}
        name={project.name}
        act="Delete the project"
        onAct={deletes}
      >
        <p>The project and all its data are deleted for good.</p>
      </Confirm>
    </Card>
  )
}
