/** What the preference page of contacts offers beside topics and a pause. */
import type { FormEvent } from 'react'
import type { Schemas } from '../../data/api.ts'
import { useCanManage } from '../../data/project.ts'
import { Problem } from '../../lists/problem.tsx'
import { Card } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { texts } from './texts.ts'
import { useProjectForm } from './use-project-form.ts'

const OFFERS = ['language', 'timezone', 'dataDownload'] as const

const draftOf = ({ preferencePage }: Schemas['Project']) => preferencePage

export function PreferencePage() {
  const canManage = useCanManage()
  const { draft, set, changed, save, dialog, busy, problem } = useProjectForm({
    draftOf,
    changesOf: (preferencePage) => ({ preferencePage }),
    labelOf: (name) => texts.preferencePage.offers[name as (typeof OFFERS)[number]],
    saved: texts.preferencePage.saved,
  })
  const savePreferencePage = (event: FormEvent) => {
    event.preventDefault()
    void save()
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
              onChange={(event) => set({ [name]: event.target.checked })}
            />
          ))}
          {dialog}
          {problem && <Problem error={problem} />}
          {canManage && (
            <Button kind="primary" type="submit" busy={busy} saved={!changed}>
              {texts.preferencePage.save}
            </Button>
          )}
        </fieldset>
      </form>
    </Card>
  )
}
