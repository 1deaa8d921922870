/** Settings about marketing email: when it is sent, how much of it, what its links contain and what counts as a conversion. */

import type { FormEvent } from 'react'
import { useCanManage } from '../../../data/project.ts'
import { Problem } from '../../../lists/problem.tsx'
import { Card } from '../../../shell/page.tsx'
import { sharedTexts } from '../../../shell/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, fieldError, Input } from '../../../ui/field.tsx'
import { texts } from '../texts.ts'
import { useProjectForm } from '../use-project-form.ts'
import { SunsetPreview } from './sunset-preview.tsx'
import { draftOf, SETTINGS, type SettingDraft, type SettingName, settingOf } from './values.ts'

const T = texts.sending

export function SendingTab() {
  return Object.keys(SETTINGS).map((name) => <Setting key={name} name={name as SettingName} />)
}

function Setting({ name }: { name: SettingName }) {
  const canManage = useCanManage()
  const { title, lead, fields } = T.settings[name]
  const { draft, set, changed, save, dialog, busy, error, problem } = useProjectForm<SettingDraft>({
    draftOf: (project) => draftOf(name, project),
    changesOf: (draft) => ({ [name]: settingOf(name, draft) }),
    partsOf: ({ isOn, fields }) => ({ isOn, ...fields }),
    draftFrom: ({ isOn, ...fields }) => ({ isOn, fields }) as SettingDraft,
    labelOf: (part) => (fields as Record<string, string>)[part] ?? T.on(title),
    saved: T.saved(title),
  })
  const saveSetting = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <Card title={title} lead={lead}>
      <form onSubmit={saveSetting} className="max-w-lg">
        <fieldset disabled={!canManage} className="space-y-4">
          <legend className="sr-only">{title}</legend>
          <Checkbox
            label={T.on(title)}
            checked={draft.isOn}
            onChange={(event) => set({ isOn: event.target.checked })}
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
                  onChange={(event) => set({ fields: { ...draft.fields, [field]: event.target.value } })}
                />
              ))}
            </div>
          )}
          {name === 'sunset' && draft.isOn && <SunsetPreview fields={draft.fields} />}
          {dialog}
          {problem && !Object.keys(fields).some((field) => fieldError(error, `${name}.${field}`)) && (
            <Problem error={problem} />
          )}
          {canManage && (
            <Button
              type="submit"
              busy={busy}
              saved={!changed}
              aria-label={sharedTexts.labeled(changed ? T.save : sharedTexts.saved, title)}
            >
              {T.save}
            </Button>
          )}
        </fieldset>
      </form>
    </Card>
  )
}
