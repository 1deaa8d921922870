/** Setting a new password with the token of a mail. It ends all sessions. */
import { Link, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { person, queryClient } from '../../api.ts'
import { NewPasswordField } from '../../parts/account-fields.tsx'
import { Button } from '../../parts/button.tsx'
import { wrongAt } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useAct } from '../../use-act.ts'
import { AccountFrame, linkLook } from './frame.tsx'

export function ResetPasswordPage() {
  const { token = '' } = useSearch({ strict: false }) as { token?: string }
  const [password, setPassword] = useState('')
  const [done, setDone] = useState(false)
  const { act, busy, error, problem } = useAct()
  const sets = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await act(person.auth.resetPassword(token, password)))) return
    queryClient.clear()
    setDone(true)
  }
  const signIn = (
    <Link to="/sign-in" className={linkLook}>
      Sign in
    </Link>
  )

  if (done) {
    return (
      <AccountFrame title="Your password is set" below={signIn}>
        <p className="text-sm text-soft">All other sessions have ended.</p>
      </AccountFrame>
    )
  }
  return (
    <AccountFrame title="Set a new password" below={signIn}>
      <form onSubmit={sets} className="space-y-4">
        <NewPasswordField
          label="New password"
          value={password}
          wrong={wrongAt(error, 'password')}
          onChange={setPassword}
        />
        {problem && !wrongAt(error, 'password') && <Problem error={problem} />}
        <Button kind="primary" type="submit" busy={busy} className="w-full">
          Set the password
        </Button>
      </form>
    </AccountFrame>
  )
}
