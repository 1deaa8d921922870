/** Sets a new password with the token from an email. This ends all sessions. */
import { useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { accountPage } from '../../addresses.ts'
import { queryClient, userApi } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { Link } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { NewPasswordField } from '../../shell/account-fields.tsx'
import { Button } from '../../ui/button.tsx'
import { fieldError } from '../../ui/field.tsx'
import { AccountFrame, linkLook } from './frame.tsx'
import { texts } from './texts.ts'

export function ResetPasswordPage() {
  const { token = '' } = useSearch({ strict: false }) as { token?: string }
  const [password, setPassword] = useState('')
  const [done, setDone] = useState(false)
  const { run, busy, error, problem } = useAction()
  const setNewPassword = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await run(userApi.auth.resetPassword(token, password)))) return
    queryClient.clear()
    setDone(true)
  }
  const signIn = (
    <Link to={accountPage('/sign-in')} className={linkLook}>
      {texts.resetPassword.signIn}
    </Link>
  )

  if (done) {
    return (
      <AccountFrame title={texts.resetPassword.doneTitle} below={signIn}>
        <p className="text-sm text-soft">{texts.resetPassword.done}</p>
      </AccountFrame>
    )
  }
  return (
    <AccountFrame title={texts.resetPassword.title} below={signIn}>
      <form onSubmit={setNewPassword} className="space-y-4">
        <NewPasswordField
          label={texts.resetPassword.password}
          value={password}
          error={fieldError(error, 'password')}
          onChange={setPassword}
        />
        {problem && <Problem error={problem} shown={['password']} />}
        <Button kind="primary" type="submit" busy={busy} className="w-full">
          {texts.resetPassword.submit}
        </Button>
      </form>
    </AccountFrame>
  )
}
