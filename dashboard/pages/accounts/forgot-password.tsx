/** Asking for a link that sets a new password. Says the same whether the account exists or not. */
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { person } from '../../api.ts'
import { EmailField } from '../../parts/account-fields.tsx'
import { Button } from '../../parts/button.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useAct } from '../../use-act.ts'
import { AccountFrame, linkLook } from './frame.tsx'

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [asked, setAsked] = useState(false)
  const { act, busy, problem } = useAct()
  const asks = async (event: FormEvent) => {
    event.preventDefault()
    if (await act(person.auth.requestPasswordReset(email))) setAsked(true)
  }
  const back = (
    <Link to="/sign-in" className={linkLook}>
      Back to sign in
    </Link>
  )

  if (asked) {
    return (
      <AccountFrame title="Look into your mail" below={back}>
        <p className="text-sm text-soft">
          If {email} has an account here, a link is on its way. It works once, for one hour.
        </p>
      </AccountFrame>
    )
  }
  return (
    <AccountFrame title="Forgot your password?" lead="We send you a link to set a new one." below={back}>
      <form onSubmit={asks} className="space-y-4">
        <EmailField value={email} onChange={setEmail} />
        {problem && <Problem error={problem} />}
        <Button kind="primary" type="submit" busy={busy} className="w-full">
          Send the link
        </Button>
      </form>
    </AccountFrame>
  )
}
