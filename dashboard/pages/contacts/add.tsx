/** Adds one contact. An existing contact is updated instead. */
import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { useNavigate } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Dialog, SubmitActions } from '../../ui/dialog.tsx'
import { Checkbox, fieldError, Input, TextArea } from '../../ui/field.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { parseData, toJson } from './one/contact-data.ts'
import { DataFields, useCommonFields } from './one/data-fields.tsx'
import { texts } from './texts.ts'

const BLANK = { email: '', subscribed: true, data: '' }

export function AddContact({ open, onClose }: { open: boolean; onClose(): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const [draft, setDraft] = useState(BLANK)
  const [asJson, setAsJson] = useState(false)
  const commonFields = useCommonFields()
  const parsed = parseData(draft.data)
  const addContact = async (event: FormEvent) => {
    event.preventDefault()
    if ('error' in parsed) return
    const { email, subscribed } = draft
    const done = await run(api.contacts.upsert({ email, subscribed, data: parsed.data, keepSuppression: true }))
    if (!done) return
    toast.done(done.data._meta.isNew ? texts.addDialog.added : texts.addDialog.updated)
    setDraft(BLANK)
    onClose()
    void queries.invalidateQueries({ queryKey: [projectId] })
    void navigate(projectPage(projectId, 'contacts/$id', { id: done.data.id }))
  }
  return (
    <Dialog open={open} onClose={onClose} title={texts.addDialog.title}>
      <form onSubmit={addContact} className="space-y-4">
        <Input
          label={texts.addDialog.email}
          type="email"
          required
          autoFocus
          value={draft.email}
          error={fieldError(error, 'email')}
          onChange={(event) => setDraft({ ...draft, email: event.target.value })}
        />
        <section aria-label={texts.addDialog.data} className="space-y-1.5">
          <div className="flex items-center justify-between">
            <span className="text-sm font-medium">{texts.addDialog.data}</span>
            <Menu
              trigger={
                <IconButton label={texts.addDialog.dataActions} disabled={'error' in parsed} className="-me-2">
                  <Ellipsis />
                </IconButton>
              }
              groups={[
                [
                  {
                    label: asJson ? texts.dataEditor.asFields : texts.dataEditor.asJson,
                    onSelect: () => setAsJson(!asJson),
                  },
                ],
              ]}
            />
          </div>
          {asJson || 'error' in parsed ? (
            <TextArea
              label={texts.one.dataEditor}
              hideLabel
              hint={texts.addDialog.dataHint}
              rows={5}
              spellCheck={false}
              placeholder={'{ "name": "Ada", "plan": "pro" }'}
              className="font-mono"
              value={draft.data}
              error={'error' in parsed ? parsed.error : undefined}
              onChange={(event) => setDraft({ ...draft, data: event.target.value })}
            />
          ) : (
            <DataFields
              data={parsed.data}
              offered={commonFields}
              onChange={(data) => setDraft({ ...draft, data: toJson(data) })}
            />
          )}
        </section>
        <div>
          <Checkbox
            label={texts.addDialog.subscribed}
            checked={draft.subscribed}
            onChange={(event) => setDraft({ ...draft, subscribed: event.target.checked })}
          />
          <p className="mt-1 ps-6.5 text-[0.8125rem] text-soft">{texts.addDialog.consent}</p>
        </div>
        {problem && <Problem error={problem} shown={['email']} />}
        <SubmitActions busy={busy} onCancel={onClose}>
          {texts.addDialog.submit}
        </SubmitActions>
      </form>
    </Dialog>
  )
}
