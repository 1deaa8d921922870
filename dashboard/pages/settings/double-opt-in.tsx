/** Double opt-in of a project: whether contacts confirm by email, with which template, and where they are sent afterwards. */
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi, useCanManage } from '../../data/project.ts'
import { Problem } from '../../lists/problem.tsx'
import { Card } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, fieldError, Input, Select } from '../../ui/field.tsx'
import { texts } from './texts.ts'
import { useProjectForm } from './use-project-form.ts'

const TEMPLATES_MAX = 100

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
  const { api } = useApi()
  const canManage = useCanManage()
  const { project, draft, set, changed, save, dialog, busy, error, problem } = useProjectForm({
    draftOf,
    changesOf: ({ enabled, templateId, redirectUrl }) => ({
      doubleOptIn: { enabled, templateId: templateId || null, redirectUrl: redirectUrl.trim() || null },
    }),
    labelOf: (name) => LABELS[name as keyof typeof LABELS],
    saved: texts.doubleOptIn.saved,
  })
  const { data: templates } = useQuery({
    queryKey: [project.id, 'templates', 'recent'],
    queryFn: async () => (await unwrap(api.templates.list({ pageSize: TEMPLATES_MAX, sort: 'updatedAt' }))).data,
  })
  const saveDoubleOptIn = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  const options = Object.fromEntries([
    ['', texts.doubleOptIn.standard],
    ...(templates ?? []).map(({ id, name }) => [id, name]),
  ])
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
          <Select
            label={texts.doubleOptIn.template}
            hint={texts.doubleOptIn.templateHint}
            value={draft.templateId}
            options={options}
            error={fieldError(error, 'doubleOptIn.templateId')}
            onChange={(event) => set({ templateId: event.target.value })}
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
