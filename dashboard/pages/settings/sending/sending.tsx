/** Settings about marketing email: when it is sent, how much of it, what its links contain and what counts as a conversion. */
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { projectsQuery, userApi } from '../../../data/api.ts'
import { useCanManage, useProject } from '../../../data/project.ts'
import { useUnsaved } from '../../../data/unsaved.tsx'
import { useAction } from '../../../data/use-action.ts'
import { Problem } from '../../../lists/problem.tsx'
import { Card } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, fieldError, Input } from '../../../ui/field.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'
import { SunsetPreview } from './sunset-preview.tsx'
import { draftOf, SETTINGS, type SettingName, settingOf } from './values.ts'

const T = texts.sending

export function SendingTab() {
  return Object.keys(SETTINGS).map((name) => <Setting key={name} name={name as SettingName} />)
}

function Setting({ name }: { name: SettingName }) {
  const project = useProject()
  const canManage = useCanManage()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const saved = draftOf(name, project)
  const [draft, setDraft] = useState(saved)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved)
  useUnsaved(isChanged)
  const { title, lead, fields } = T.settings[name]
  const saveSetting = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await run(userApi.projects.update(project.id, { [name]: settingOf(name, draft) })))) return
    toast.done(T.saved(title))
    void queries.invalidateQueries(projectsQuery)
  }
  return (
    <Card title={title} lead={lead}>
      <form onSubmit={saveSetting} className="max-w-lg">
        <fieldset disabled={!canManage} className="space-y-4">
          <legend className="sr-only">{title}</legend>
          <Checkbox
            label={T.on(title)}
            checked={draft.isOn}
            onChange={(event) => setDraft({ ...draft, isOn: event.target.checked })}
          />
          {draft.isOn && (
            <div className="grid gap-4 sm:grid-cols-2">
              {Object.entries(SETTINGS[name].fields).map(([field, kind]) => (
                <Input
                  key={field}
                  label={(fields as Record<string, string>)[field]!}
                  type={kind === 'percent' ? 'number' : kind}
                  step={kind === 'percent' ? 'any' : undefined}
                  required={name !== 'utm'}
                  value={draft.fields[field] ?? ''}
                  error={fieldError(error, `${name}.${field}`)}
                  onChange={(event) => setDraft({ ...draft, fields: { ...draft.fields, [field]: event.target.value } })}
                />
              ))}
            </div>
          )}
          {name === 'sunset' && draft.isOn && <SunsetPreview fields={draft.fields} />}
          {problem && !Object.keys(fields).some((field) => fieldError(error, `${name}.${field}`)) && (
            <Problem error={problem} />
          )}
          {canManage && (
            <Button type="submit" busy={busy} saved={!isChanged} aria-label={`${T.save}: ${title}`}>
              {T.save}
            </Button>
          )}
        </fieldset>
      </form>
    </Card>
  )
}
