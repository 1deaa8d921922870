/** One test email of a campaign, to an address of your choice. */
import { useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { meQuery } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Input } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'
import { useAct } from '../../use-act.ts'

export function TestCampaign({ campaignId }: { campaignId: string }) {
  const { api } = useApi()
  const { data: me } = useQuery(meQuery)
  const toast = useToast()
  const { act, busy, problem } = useAct()
  const [open, setOpen] = useState(false)
  const [to, setTo] = useState('')
  const sends = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await act(api.campaigns.test(campaignId, to)))) return
    setOpen(false)
    toast.done(`A test is on its way to ${to}.`)
  }
  return (
    <>
      <Button
        onClick={() => {
          setTo((now) => now || me?.email || '')
          setOpen(true)
        }}
      >
        <FlaskConical aria-hidden /> Send a test
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Send a test"
        lead="One email, as it was last saved. It counts for nothing in the numbers."
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
              Send the test
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  )
}
