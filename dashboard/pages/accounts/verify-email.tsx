/** The link of the verification mail leads here. The click is the person's own: programs that read mail follow links too. */
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { person, queryClient } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useAct } from '../../use-act.ts'
import { AccountFrame, linkLook } from './frame.tsx'

export function VerifyEmailPage() {
  const { token = '' } = useSearch({ strict: false }) as { token?: string }
  const [done, setDone] = useState(false)
  const { act, busy, problem } = useAct()
  const verifies = async () => {
    if (!(await act(person.auth.verifyEmail(token)))) return
    void queryClient.invalidateQueries({ queryKey: ['me'] })
    setDone(true)
  }
  const home = (
    <Link to="/" className={linkLook}>
      To the dashboard
    </Link>
  )
  return (
    <AccountFrame title={done ? 'Your address is verified' : 'Verify your address'} below={home}>
      {done ? (
        <p className="text-sm text-soft">Thank you. Nothing else to do.</p>
      ) : (
        <div className="space-y-4">
          {problem && <Problem error={problem} />}
          <Button kind="primary" busy={busy} className="w-full" onClick={() => void verifies()}>
            Yes, this is my address
          </Button>
        </div>
      )}
    </AccountFrame>
  )
}
