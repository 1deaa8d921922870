/** One test email to an address of your choice: the dialog. What is sent, the page says. */
import type { Result } from '@posthorn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { meQuery } from '../api.ts'
import { useAct } from '../use-act.ts'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Input } from './field.tsx'
import { Problem } from './problem.tsx'
import { useToast } from './toast.tsx'

interface SendTestProps<T> {
  lead: string
  send(to: string): Promise<Result<T>>
  onSent?(answer: T): void
}

export function SendTest<T>({ lead, send, onSent }: SendTestProps<T>) {
  const { data: me } = useQuery(meQuery)
  const toast = useToast()
  const { act, busy, problem } = useAct()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState<string>()
  const to = typed ?? me?.email ?? ''
  const sends = async (event: FormEvent) => {
    event.preventDefault()
    const done = await act(send(to))
    if (!done) return
    setOpen(false)
    toast.done(`A test is on its way to ${to}.`)
    onSent?.(done.data)
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Send aria-hidden /> Send a test
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Send a test" lead={lead}>
        <form onSubmit={sends} className="space-y-4">
          <Input
            label="To"
            type="email"
            required
            autoFocus
            value={to}
            onChange={(event) => setTyped(event.target.value)}
          />
          {problem && <Problem error={problem} />}
          <DialogActions>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button kind="primary" type="submit" busy={busy}>
              Send the test
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  )
}
