/** The dialog that sends a test email. The page decides what is sent. */
import type { Result } from '@posthorn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { meQuery, unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { useAction } from '../data/use-action.ts'
import { Problem } from '../lists/problem.tsx'
import { Combobox } from '../pickers/combobox.tsx'
import { testEmailTexts } from '../shell/texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, SubmitActions } from '../ui/dialog.tsx'
import { fieldError } from '../ui/field.tsx'
import { useToast } from '../ui/toast.tsx'

interface SendTestProps<T> {
  lead: string
  send(to: string): Promise<Result<T>>
  /** Opens the email that was sent, if the page can. */
  view?(response: T): void
  /** Further fields, such as the contact whose data is used. */
  children?: ReactNode
}

export function SendTest<T>({ lead, send, view, children }: SendTestProps<T>) {
  const { data: me } = useQuery(meQuery)
  const { projectId, api } = useApi()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState<string>()
  const { data: team } = useQuery({
    queryKey: [projectId, 'members'],
    queryFn: async () => (await unwrap(api.projects.members.list(projectId))).data, // as in the members section
    enabled: open,
  })
  const to = typed ?? me?.email ?? ''
  const sendTest = async (event: FormEvent) => {
    event.preventDefault()
    const done = await run(send(to))
    if (!done) return
    setOpen(false)
    const action = view && { label: testEmailTexts.view, onSelect: () => view(done.data) }
    toast.done(testEmailTexts.sent(to), action)
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Send aria-hidden /> {testEmailTexts.open}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={testEmailTexts.open} lead={lead} disposable>
        <form onSubmit={sendTest} className="space-y-4">
          <Combobox
            free
            label={testEmailTexts.to}
            type="email"
            required
            autoFocus
            error={fieldError(error, 'email')}
            value={to}
            choices={(team ?? []).map(({ email }) => ({ value: email, label: email }))}
            onChoose={setTyped}
          />
          {children}
          {problem && <Problem error={problem} shown={['email']} />}
          <SubmitActions busy={busy} onCancel={() => setOpen(false)}>
            {testEmailTexts.send}
          </SubmitActions>
        </form>
      </Dialog>
    </>
  )
}
