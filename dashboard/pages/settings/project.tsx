/** The project's settings, and its reset and deletion. */
import { useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { accountPage } from '../../addresses.ts'
import { downloadsIn, unwrap, userApi } from '../../data/api.ts'
import { useCanManage, useProject } from '../../data/project.ts'
import { useNavigate } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { saveFile } from '../../lists/save-file.ts'
import { Card } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Checkbox, fieldError, Input, Select } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { DoubleOptIn } from './double-opt-in.tsx'
import { PreferencePage } from './preference-page.tsx'
import { texts } from './texts.ts'
import { useProjectForm } from './use-project-form.ts'

/** The languages of footers and public pages, in their own words. A language from the API is kept. */
function languageOptions(current: string): Record<string, string> {
  const codes = LANGUAGES.includes(current) ? LANGUAGES : [...LANGUAGES, current]
  return Object.fromEntries(codes.map((code) => [code, languageName(code)]))
}

const languageName = (code: string): string => {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'da', 'ja', 'zh']

const settingsOf = ({ name, tracking, language, sendToBounced, publicKeyUpdates }: ReturnType<typeof useProject>) => ({
  name,
  tracking,
  language,
  sendToBounced,
  publicKeyUpdates,
})

export function ProjectTab() {
  const canManage = useCanManage()
  const { draft, set, changed, save, dialog, busy, error, problem } = useProjectForm({
    draftOf: settingsOf,
    changesOf: (draft) => draft,
    labelOf: (name) => texts.project[name as keyof ReturnType<typeof settingsOf>],
    saved: texts.project.saved,
  })
  const saveSettings = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <>
      <Card>
        <form onSubmit={saveSettings} className="max-w-lg pt-1.5">
          <fieldset disabled={!canManage} className="space-y-4">
            <legend className="sr-only">{texts.projectTitle}</legend>
            <Input
              label={texts.project.name}
              required
              maxLength={100}
              value={draft.name}
              error={fieldError(error, 'name')}
              onChange={(event) => set({ name: event.target.value })}
            />
            <Select
              label={texts.project.tracking}
              hint={texts.project.trackingHint}
              value={draft.tracking}
              options={texts.project.trackingOptions}
              onChange={(event) => set({ tracking: event.target.value as typeof draft.tracking })}
            />
            <Select
              label={texts.project.language}
              hint={texts.project.languageHint}
              value={draft.language}
              options={languageOptions(draft.language)}
              error={fieldError(error, 'language')}
              onChange={(event) => set({ language: event.target.value })}
            />
            <Checkbox
              label={texts.project.sendToBounced}
              hint={texts.project.sendToBouncedHint}
              checked={draft.sendToBounced}
              onChange={(event) => set({ sendToBounced: event.target.checked })}
            />
            <Select
              label={texts.project.publicKeyUpdates}
              hint={texts.project.publicKeyUpdatesHint}
              value={draft.publicKeyUpdates}
              options={texts.project.publicKeyUpdatesOptions}
              onChange={(event) => set({ publicKeyUpdates: event.target.value as typeof draft.publicKeyUpdates })}
            />
            {dialog}
            {problem && <Problem error={problem} shown={['name', 'language']} />}
            {canManage ? (
              <Button kind="primary" shortcut="save" type="submit" busy={busy} saved={!changed}>
                {texts.project.save}
              </Button>
            ) : (
              <p className="text-sm text-soft">{texts.project.readOnly}</p>
            )}
          </fieldset>
        </form>
      </Card>
      <DoubleOptIn />
      <PreferencePage />
      {canManage && <ExportCard />}
      {canManage && <DangerZone />}
    </>
  )
}

function ExportCard() {
  const { id } = useProject()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const downloadExport = async () => {
    setBusy(true)
    const { data, error } = await downloadsIn(id).request('GET /export', { as: 'blob' })
    setBusy(false)
    if (error) toast.failed(error)
    else saveFile('project.zip', data as unknown as Blob)
  }
  return (
    <Card
      title={texts.export.title}
      lead={texts.export.lead}
      actions={
        <Button busy={busy} onClick={() => void downloadExport()}>
          <Download aria-hidden /> {texts.export.action}
        </Button>
      }
    >
      {null}
    </Card>
  )
}

function DangerZone() {
  const project = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const [open, setOpen] = useState<'reset' | 'delete'>()
  const resetProject = async () => {
    await unwrap(userApi.projects.reset(project.id, { confirm: project.name }))
    toast.done(texts.danger.resetDone)
    void queries.invalidateQueries({ queryKey: [project.id] })
  }
  const deleteProject = async () => {
    await unwrap(userApi.projects.delete(project.id))
    localStorage.removeItem('posthorn.project')
    await navigate(accountPage('/'))
    queries.clear()
  }
  return (
    <Card title={texts.danger.title}>
      <ul className="divide-y divide-line text-sm">
        <li className="flex flex-wrap items-center justify-between gap-3 pb-4">
          <p className="max-w-xl min-w-0 flex-1 basis-72 text-soft">
            <span className="block font-medium text-ink">{texts.danger.reset}</span>
            {texts.danger.resetLead}
          </p>
          <Button kind="danger" onClick={() => setOpen('reset')}>
            {texts.danger.reset}
          </Button>
        </li>
        <li className="flex flex-wrap items-center justify-between gap-3 pt-4">
          <p className="max-w-xl min-w-0 flex-1 basis-72 text-soft">
            <span className="block font-medium text-ink">{texts.danger.delete}</span>
            {texts.danger.deleteLead}
          </p>
          <Button kind="danger" onClick={() => setOpen('delete')}>
            {texts.danger.delete}
          </Button>
        </li>
      </ul>
      <Confirm
        open={open === 'reset'}
        onClose={() => setOpen(undefined)}
        title={texts.danger.resetTitle(project.name)}
        typeToConfirm={project.name}
        action={texts.danger.reset}
        onConfirm={resetProject}
      >
        <p>{texts.danger.resetEffect}</p>
      </Confirm>
      <Confirm
        open={open === 'delete'}
        onClose={() => setOpen(undefined)}
        title={texts.danger.deleteTitle(project.name)}
        typeToConfirm={project.name}
        action={texts.danger.delete}
        onConfirm={deleteProject}
      >
        <p>{texts.danger.deleteEffect}</p>
      </Confirm>
    </Card>
  )
}
