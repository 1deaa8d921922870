/** Verifies an email address. Requires a click, because email scanners open links too. */
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { accountPage } from '../../addresses.ts'
import { queryClient, userApi } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { Link } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Button } from '../../ui/button.tsx'
import { AccountFrame, linkLook } from './frame.tsx'
import { texts } from './texts.ts'

export function VerifyEmailPage() {
  const { token = '' } = useSearch({ strict: false }) as { token?: string }
  const [done, setDone] = useState(false)
  const { run, busy, problem } = useAction()
  const verifyEmail = async () => {
    if (!(await run(userApi.auth.verifyEmail(token)))) return
    void queryClient.invalidateQueries({ queryKey: ['me'] })
    setDone(true)
  }
  const home = (
    <Link to={accountPage('/')} className={linkLook}>
      {texts.verifyEmail.home}
    </Link>
  )
  return (
    <AccountFrame
      title={done ? texts.verifyEmail.doneTitle : texts.verifyEmail.title}
      lead={done ? texts.verifyEmail.done : texts.verifyEmail.lead}
      below={home}
    >
      {!done && (
        <div className="space-y-4">
          {problem && <Problem error={problem} />}
          <Button kind="primary" busy={busy} className="w-full" onClick={() => void verifyEmail()}>
            {texts.verifyEmail.submit}
          </Button>
        </div>
      )}
    </AccountFrame>
  )
}
