/** A new account. */
import { Link, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { person, useConfig } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { Input, wrongAt } from '../../parts/field.tsx'
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
        <Input
          label="Email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={account.email}
          wrong={wrongAt(error, 'email')}
          onChange={(event) => setAccount({ ...account, email: event.target.value })}
        />
        <Input
          label="Password"
          type="password"
          autoComplete="new-password"
          required
          minLength={8}
          maxLength={200}
          hint="At least 8 characters. Long beats clever."
          value={account.password}
          wrong={wrongAt(error, 'password')}
          onChange={(event) => setAccount({ ...account, password: event.target.value })}
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
