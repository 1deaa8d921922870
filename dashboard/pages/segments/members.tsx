/** People put into a segment by hand, by their addresses. */
import { useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Checkbox, TextArea } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import { addressesIn } from './addresses.ts'

export function AddMembers({ segmentId }: { segmentId: string }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { act, busy, problem } = useAct()
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [createMissing, setCreateMissing] = useState(false)
  const [notFound, setNotFound] = useState<string[]>([])
  const emails = addressesIn(text)
  const adds = async (event: FormEvent) => {
    event.preventDefault()
    const done = await act(api.segments.addMembers(segmentId, { emails, createMissing, subscribed: true }))
    if (!done) return
    const { added, created } = done.data
    toast.done(`${added} added${created > 0 ? `, ${created} of them new contacts` : ''}.`)
    void queries.invalidateQueries({ queryKey: [projectId, 'segments'] })
    setNotFound(done.data.notFound)
    setText(done.data.notFound.join('\n'))
    if (done.data.notFound.length === 0) setOpen(false)
  }
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        <UserPlus aria-hidden /> Add people
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Add people" lead="Up to 500 addresses at a time.">
        <form onSubmit={adds} className="space-y-4">
          <TextArea
            label="Addresses"
            hint="One a line, or with commas between them."
            rows={7}
            autoFocus
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Checkbox
            label="Make contacts of those not known yet"
            checked={createMissing}
            onChange={(event) => setCreateMissing(event.target.checked)}
          />
          {notFound.length > 0 && (
            <p role="alert" className="rounded-part bg-warn-wash px-3 py-2 text-sm text-warn">
              {notFound.length === 1 ? 'This one is not a contact' : 'These are not contacts'}. They stay above.
            </p>
          )}
          {problem && <Problem error={problem} />}
          <DialogActions>
            <Button onClick={() => setOpen(false)}>Close</Button>
            <Button kind="primary" type="submit" busy={busy} disabled={emails.length === 0}>
              {emails.length === 1 ? 'Add 1 person' : `Add ${emails.length} people`}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  )
}
