/** Requests a password reset link. The response is the same whether the account exists or not. */
import { type FormEvent, useState } from 'react'
import { accountPage } from '../../addresses.ts'
import { userApi } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { Link } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { EmailField } from '../../shell/account-fields.tsx'
import { Button } from '../../ui/button.tsx'
import { AccountFrame, linkLook } from './frame.tsx'
import { texts } from './texts.ts'

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState(false)
  const { run, busy, problem } = useAction()
  const requestReset = async (event: FormEvent) => {
    event.preventDefault()
    if (await run(userApi.auth.requestPasswordReset(email))) setSent(true)
  }
  const back = (
    <Link to={accountPage('/sign-in')} className={linkLook}>
      {texts.forgotPassword.back}
    </Link>
  )

  if (sent) {
    return (
      <AccountFrame title={texts.forgotPassword.sentTitle} below={back}>
        <p className="text-sm text-soft">{texts.forgotPassword.sent(email)}</p>
      </AccountFrame>
    )
  }
  return (
    <AccountFrame title={texts.forgotPassword.title} lead={texts.forgotPassword.lead} below={back}>
      <form onSubmit={requestReset} className="space-y-4">
        <EmailField value={email} onChange={setEmail} />
        {problem && <Problem error={problem} />}
        <Button kind="primary" type="submit" busy={busy} className="w-full">
          {texts.forgotPassword.submit}
        </Button>
      </form>
    </AccountFrame>
  )
}
