/** The draft as it stands, sent to one address: through the same road as every email. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { meQuery } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Input } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import type { Draft } from './draft.ts'

export function SendTest({ draft }: { draft: Draft }) {
  const { projectId, api } = useApi()
  const { data: me } = useQuery(meQuery)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const [open, setOpen] = useState(false)
  const [to, setTo] = useState('')
  const { act, busy, problem } = useAct()
  const sends = async (event: FormEvent) => {
    event.preventDefault()
    const { subject, body, from, fromName, replyTo } = draft
    const sender = fromName ? { name: fromName, email: from } : from
    const done = await act(api.emails.send({ to, subject, body, from: sender, ...(replyTo ? { reply: replyTo } : {}) }))
    if (!done) return
    setOpen(false)
    toast.done(`Sent to ${to}.`)
    void queries.invalidateQueries({ queryKey: [projectId, 'emails'] })
    await navigate({ to: inProjectPath(projectId, `emails/${done.data.emails[0]!.email}`) })
  }
  return (
    <>
      <Button
        onClick={() => {
          setTo((now) => now || me?.email || '')
          setOpen(true)
        }}
      >
        <Send aria-hidden /> Send a test
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Send a test"
        lead="The draft as it stands. The address becomes a contact if it is not one yet."
      >
        <form onSubmit={sends} className="space-y-4">
          <Input
            label="To"
            type="email"
            required
            autoFocus
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
          {problem && <Problem error={problem} />}
          <DialogActions>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button kind="primary" type="submit" busy={busy}>
              Send
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  )
}
