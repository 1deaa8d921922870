/** Actions on one contact: sends it an email, or starts a workflow for it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Problem } from '../../lists/problem.tsx'
import { SenderInput } from '../../pickers/sender-input.tsx'
import { TemplatePicker } from '../../pickers/template-picker.tsx'
import { useEnabledWorkflows, WorkflowPicker } from '../../pickers/workflow-picker.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, SubmitActions } from '../../ui/dialog.tsx'
import { fieldError, Input, TextArea } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

interface ActionProps {
  contact: Schemas['Contact']
  onClose(): void
}

/** The text of a message as HTML, with its paragraphs. */
const toHtml = (text: string) =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('\n')

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export function SendEmail({ contact, onClose }: ActionProps) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const [draft, setDraft] = useState({ template: '', from: '', subject: '', message: '' })
  const { data: domains } = useQuery({
    queryKey: [projectId, 'domains'],
    queryFn: () => unwrap(api.domains.list(projectId)),
  })
  const domain = domains?.find(({ verified }) => verified)?.domain
  const from = draft.from || (domain ? `hello@${domain}` : '')
  const set = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes })
  const sendEmail = async (event: FormEvent) => {
    event.preventDefault()
    const content = draft.template
      ? { template: draft.template }
      : { from, subject: draft.subject, body: toHtml(draft.message) }
    if (!(await run(api.emails.send({ to: contact.email, ...content })))) return
    toast.done(texts.sendEmail.sent(contact.email))
    onClose()
    void queries.invalidateQueries({ queryKey: [projectId, 'contacts', contact.id] })
  }
  return (
    <Dialog open onClose={onClose} title={texts.sendEmail.title} lead={texts.sendEmail.lead(contact.email)}>
      <form onSubmit={sendEmail} className="space-y-4">
        <TemplatePicker
          label={texts.sendEmail.template}
          value={draft.template}
          none={texts.sendEmail.ownText}
          onChoose={(template) => set({ template })}
        />
        {!draft.template && (
          <>
            <SenderInput
              label={texts.sendEmail.from}
              required
              value={from}
              error={fieldError(error, 'from')}
              onChange={(address) => set({ from: address })}
            />
            <Input
              label={texts.sendEmail.subject}
              required
              value={draft.subject}
              error={fieldError(error, 'subject')}
              onChange={(event) => set({ subject: event.target.value })}
            />
            <TextArea
              label={texts.sendEmail.message}
              required
              rows={6}
              value={draft.message}
              error={fieldError(error, 'body')}
              onChange={(event) => set({ message: event.target.value })}
            />
          </>
        )}
        {problem && <Problem error={problem} shown={['from', 'subject', 'body']} />}
        <SubmitActions busy={busy} onCancel={onClose}>
          {texts.sendEmail.title}
        </SubmitActions>
      </form>
    </Dialog>
  )
}

export function StartWorkflow({ contact, onClose }: ActionProps) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, problem } = useAction()
  const [chosen, setChosen] = useState('')
  const enabled = useEnabledWorkflows()
  const workflowId = chosen || (enabled?.length === 1 ? enabled[0]!.id : '')
  const startWorkflow = async (event: FormEvent) => {
    event.preventDefault()
    if (!workflowId || !(await run(api.workflows.executions.start(workflowId, { contactId: contact.id })))) return
    toast.done(texts.startWorkflow.started)
    onClose()
    void queries.invalidateQueries({ queryKey: [projectId, 'contacts', contact.id] })
  }
  return (
    <Dialog open onClose={onClose} title={texts.startWorkflow.title} lead={texts.startWorkflow.lead(contact.email)}>
      <form onSubmit={startWorkflow} className="space-y-4">
        {enabled?.length === 0 ? (
          <p className="text-sm text-soft">{texts.startWorkflow.none}</p>
        ) : (
          <WorkflowPicker label={texts.startWorkflow.workflow} value={workflowId} onChoose={setChosen} />
        )}
        {problem && <Problem error={problem} />}
        <DialogActions>
          <Button onClick={onClose}>{sharedTexts.cancel}</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={!workflowId}>
            {texts.startWorkflow.title}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
