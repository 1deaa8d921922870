/** What the preference page of contacts offers beside topics and a pause. */
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { projectsQuery, userApi } from '../../data/api.ts'
import { useCanManage, useProject } from '../../data/project.ts'
import { useUnsaved } from '../../data/unsaved.tsx'
import { useAction } from '../../data/use-action.ts'
import { Problem } from '../../lists/problem.tsx'
import { Card } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

const OFFERS = ['language', 'timezone', 'dataDownload'] as const

export function PreferencePage() {
  const project = useProject()
  const canManage = useCanManage()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, problem } = useAction()
  const saved = project.preferencePage
  const [draft, setDraft] = useState(saved)
  const isChanged = OFFERS.some((name) => draft[name] !== saved[name])
  useUnsaved(isChanged)
  const savePreferencePage = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await run(userApi.projects.update(project.id, { preferencePage: draft })))) return
    toast.done(texts.preferencePage.saved)
    void queries.invalidateQueries(projectsQuery)
  }
  return (
    <Card title={texts.preferencePage.title} lead={texts.preferencePage.lead}>
      <form onSubmit={savePreferencePage} className="max-w-lg">
        <fieldset disabled={!canManage} className="space-y-4">
          <legend className="sr-only">{texts.preferencePage.title}</legend>
          {OFFERS.map((name) => (
            <Checkbox
              key={name}
              label={texts.preferencePage.offers[name]}
              hint={texts.preferencePage.hints[name]}
              checked={draft[name]}
              onChange={(event) => setDraft({ ...draft, [name]: event.target.checked })}
            />
          ))}
          {problem && <Problem error={problem} />}
          {canManage && (
            <Button kind="primary" type="submit" busy={busy} saved={!isChanged}>
              {texts.preferencePage.save}
            </Button>
          )}
        </fieldset>
      </form>
    </Card>
  )
}
