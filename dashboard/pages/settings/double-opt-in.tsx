/** Double opt-in of a project: whether contacts confirm by email, with which template, and where they are sent afterwards. */
import type { FormEvent } from 'react'
import type { Schemas } from '../../data/api.ts'
import { useCanManage } from '../../data/project.ts'
import { Problem } from '../../lists/problem.tsx'
import { TemplatePicker } from '../../pickers/template-picker.tsx'
import { Card } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, fieldError, Input } from '../../ui/field.tsx'
import { texts } from './texts.ts'
import { useProjectForm } from './use-project-form.ts'

const draftOf = ({ doubleOptIn: { enabled, templateId, redirectUrl } }: Schemas['Project']) => ({
  enabled,
  templateId: templateId ?? '',
  redirectUrl: redirectUrl ?? '',
})

const LABELS = {
  enabled: texts.doubleOptIn.enabled,
  templateId: texts.doubleOptIn.template,
  redirectUrl: texts.doubleOptIn.redirectUrl,
}

export function DoubleOptIn() {
  const canManage = useCanManage()
  const { draft, set, changed, save, dialog, busy, error, problem } = useProjectForm({
    draftOf,
    changesOf: ({ enabled, templateId, redirectUrl }) => ({
      doubleOptIn: { enabled, templateId: templateId || null, redirectUrl: redirectUrl.trim() || null },
    }),
    labelOf: (name) => LABELS[name as keyof typeof LABELS],
    saved: texts.doubleOptIn.saved,
  })
  const saveDoubleOptIn = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <Card title={texts.doubleOptIn.title} lead={texts.doubleOptIn.lead}>
      <form onSubmit={saveDoubleOptIn} className="max-w-lg">
        <fieldset disabled={!canManage} className="space-y-4">
          <legend className="sr-only">{texts.doubleOptIn.title}</legend>
          <Checkbox
            label={texts.doubleOptIn.enabled}
            checked={draft.enabled}
            onChange={(event) => set({ enabled: event.target.checked })}
          />
          <TemplatePicker
            label={texts.doubleOptIn.template}
            hint={texts.doubleOptIn.templateHint}
            value={draft.templateId}
            none={texts.doubleOptIn.standard}
            error={fieldError(error, 'doubleOptIn.templateId')}
            onChoose={(templateId) => set({ templateId })}
          />
          <Input
            label={texts.doubleOptIn.redirectUrl}
            hint={texts.doubleOptIn.redirectUrlHint}
            type="url"
            value={draft.redirectUrl}
            error={fieldError(error, 'doubleOptIn.redirectUrl')}
            onChange={(event) => set({ redirectUrl: event.target.value })}
          />
          {dialog}
          {problem && <Problem error={problem} shown={['doubleOptIn.templateId', 'doubleOptIn.redirectUrl']} />}
          {canManage && (
            <Button kind="primary" type="submit" busy={busy} saved={!changed}>
              {texts.doubleOptIn.save}
            </Button>
          )}
        </fieldset>
      </form>
    </Card>
  )
}
