/** Double opt-in of a project: whether contacts confirm by email, with which template, and where they are sent afterwards. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { projectsQuery, unwrap, userApi } from '../../data/api.ts'
import { useApi, useCanManage, useProject } from '../../data/project.ts'
import { useUnsaved } from '../../data/unsaved.tsx'
import { useAction } from '../../data/use-action.ts'
import { Problem } from '../../lists/problem.tsx'
import { Card } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, fieldError, Input, Select } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

const TEMPLATES_MAX = 100

export function DoubleOptIn() {
  const project = useProject()
  const { api } = useApi()
  const canManage = useCanManage()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const { enabled, templateId, redirectUrl } = project.doubleOptIn
  const saved = { enabled, templateId: templateId ?? '', redirectUrl: redirectUrl ?? '' }
  const [draft, setDraft] = useState(saved)
  const { data: templates } = useQuery({
    queryKey: [project.id, 'templates', 'recent'],
    queryFn: async () => (await unwrap(api.templates.list({ pageSize: TEMPLATES_MAX, sort: 'updatedAt' }))).data,
  })
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved)
  useUnsaved(isChanged)
  const saveDoubleOptIn = async (event: FormEvent) => {
    event.preventDefault()
    const doubleOptIn = {
      enabled: draft.enabled,
      templateId: draft.templateId || null,
      redirectUrl: draft.redirectUrl.trim() || null,
    }
    if (!(await run(userApi.projects.update(project.id, { doubleOptIn })))) return
    toast.done(texts.doubleOptIn.saved)
    void queries.invalidateQueries(projectsQuery)
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
            onChange={(event) => setDraft({ ...draft, enabled: event.target.checked })}
          />
          <Select
            label={texts.doubleOptIn.template}
            hint={texts.doubleOptIn.templateHint}
            value={draft.templateId}
            options={options}
            error={fieldError(error, 'doubleOptIn.templateId')}
            onChange={(event) => setDraft({ ...draft, templateId: event.target.value })}
          />
          <Input
            label={texts.doubleOptIn.redirectUrl}
            hint={texts.doubleOptIn.redirectUrlHint}
            type="url"
            value={draft.redirectUrl}
            error={fieldError(error, 'doubleOptIn.redirectUrl')}
            onChange={(event) => setDraft({ ...draft, redirectUrl: event.target.value })}
          />
          {problem && !error?.errors && <Problem error={problem} />}
          {canManage && (
            <Button kind="primary" type="submit" busy={busy} saved={!isChanged}>
              {texts.doubleOptIn.save}
            </Button>
          )}
        </fieldset>
      </form>
    </Card>
  )
}
