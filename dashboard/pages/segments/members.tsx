/** Adds contacts to a static segment by email address. */
import { useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Problem } from '../../lists/problem.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, TextArea } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { addressesIn } from './addresses.ts'
import { texts } from './texts.ts'

export function AddMembers({ segmentId }: { segmentId: string }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, problem } = useAction()
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [createMissing, setCreateMissing] = useState(false)
  const [notFound, setNotFound] = useState<string[]>([])
  const emails = addressesIn(text)
  const addMembers = async (event: FormEvent) => {
    event.preventDefault()
    const done = await run(api.segments.addMembers(segmentId, { emails, createMissing, subscribed: true }))
    if (!done) return
    const { added, created } = done.data
    toast.done(texts.addMembers.added(added, created))
    void queries.invalidateQueries({ queryKey: [projectId, 'segments'] })
    setNotFound(done.data.notFound)
    setText(done.data.notFound.join('\n'))
    if (done.data.notFound.length === 0) setOpen(false)
  }
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        <UserPlus aria-hidden /> {texts.addMembers.title}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={texts.addMembers.title} lead={texts.addMembers.lead}>
        <form onSubmit={addMembers} className="space-y-4">
          <TextArea
            label={texts.addMembers.addresses}
            hint={texts.addMembers.addressesHint}
            rows={7}
            autoFocus
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Checkbox
            label={texts.addMembers.createMissing}
            checked={createMissing}
            onChange={(event) => setCreateMissing(event.target.checked)}
          />
          {notFound.length > 0 && (
            <p role="alert" className="rounded-part bg-warn-wash px-3 py-2 text-sm text-warn">
              {texts.addMembers.notFound(notFound.length)}
            </p>
          )}
          {problem && <Problem error={problem} />}
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{sharedTexts.close}</Button>
            <Button kind="primary" type="submit" busy={busy} disabled={emails.length === 0}>
              {texts.addMembers.submit(emails.length)}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  )
}
