/** A new account. */
import { Link, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { person, useConfig } from '../../api.ts'
import { EmailField, NewPasswordField } from '../../parts/account-fields.tsx'
import { Button } from '../../parts/button.tsx'
import { wrongAt } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useAct } from '../../use-act.ts'
import { useArrive } from './arrive.ts'
import { AccountFrame, linkLook } from './frame.tsx'

export function SignUpPage() {
  const { invitation, email = '' } = useSearch({ strict: false }) as Record<string, string | undefined>
  const arrive = useArrive()
  const config = useConfig()
  const { act, busy, error, problem } = useAct()
  const [account, setAccount] = useState({ email, password: '' })
  const signsUp = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await act(person.auth.signup({ ...account, ...(invitation ? { invitation } : {}) })))) return
    arrive()
  }

  if (config && !config.features.signup && !invitation) {
    return (
      <AccountFrame title="Sign-ups are closed" below={<SignInLink />}>
        <p className="text-sm text-soft">Whoever runs this service adds accounts by invitation.</p>
      </AccountFrame>
    )
  }
  return (
    <AccountFrame title="Create your account" below={<SignInLink />}>
      <form onSubmit={signsUp} className="space-y-4">
        <EmailField
          value={account.email}
          wrong={wrongAt(error, 'email')}
          onChange={(email) => setAccount({ ...account, email })}
        />
        <NewPasswordField
          label="Password"
          value={account.password}
          wrong={wrongAt(error, 'password')}
          onChange={(password) => setAccount({ ...account, password })}
        />
        {problem && !error?.errors && <Problem error={problem} />}
        <Button kind="primary" type="submit" busy={busy} className="w-full">
          Sign up
        </Button>
      </form>
    </AccountFrame>
  )
}

const SignInLink = () => (
  <>
    Have an account?{' '}
    <Link to="/sign-in" className={linkLook}>
      Sign in
    </Link>
  </>
)
