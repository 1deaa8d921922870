/** One contact by hand. An address that is there already is updated, and we say so. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { inProjectPath } from '../../navigation.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Checkbox, Input, TextArea, wrongAt } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import { readData } from './data-words.ts'

const BLANK = { email: '', subscribed: true, data: '' }

export function AddContact({ open, onClose }: { open: boolean; onClose(): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const { act, busy, error, problem } = useAct()
  const [draft, setDraft] = useState(BLANK)
  const read = readData(draft.data)
  const adds = async (event: FormEvent) => {
    event.preventDefault()
    if ('wrong' in read) return
    const done = await act(api.contacts.upsert({ email: draft.email, subscribed: draft.subscribed, data: read.data }))
    if (!done) return
    toast.done(done.data._meta.isNew ? 'Contact added.' : 'This contact existed; it was updated.')
    setDraft(BLANK)
    onClose()
    void queries.invalidateQueries({ queryKey: [projectId] })
    void navigate({ to: inProjectPath(projectId, `contacts/${done.data.id}`) })
  }
  return (
    <Dialog open={open} onClose={onClose} title="Add a contact">
      <form onSubmit={adds} className="space-y-4">
        <Input
          label="Email"
          type="email"
          required
          autoFocus
          value={draft.email}
          wrong={wrongAt(error, 'email')}
          onChange={(event) => setDraft({ ...draft, email: event.target.value })}
        />
        <TextArea
          label="Data"
          hint="JSON, if you know more. Templates and segments use it."
          rows={4}
          spellCheck={false}
          placeholder={'{ "name": "Ada", "plan": "pro" }'}
          className="font-mono"
          value={draft.data}
          wrong={'wrong' in read ? read.wrong : undefined}
          onChange={(event) => setDraft({ ...draft, data: event.target.value })}
        />
        <Checkbox
          label="Subscribed to marketing mail"
          checked={draft.subscribed}
          onChange={(event) => setDraft({ ...draft, subscribed: event.target.checked })}
        />
        {problem && !wrongAt(error, 'email') && <Problem error={problem} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={busy}>
            Add contact
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
