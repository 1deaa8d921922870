/** Signing in, with a second factor where the account has one. */
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { person, SERVICE_URL, unwrap, useConfig } from '../../api.ts'
import { EmailField, PasswordField } from '../../parts/account-fields.tsx'
import { Button } from '../../parts/button.tsx'
import { Input, wrongAt } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useAct } from '../../use-act.ts'
import { useArrive } from './arrive.ts'
import { AccountFrame, linkLook } from './frame.tsx'

export function SignInPage() {
  const { next } = useSearch({ strict: false }) as { next?: string }
  const arrive = useArrive()
  const config = useConfig()
  const { act, busy, error, problem } = useAct()
  const [account, setAccount] = useState({ email: '', password: '', code: '' })
  const asksForCode = error?.code === 'TWO_FACTOR_REQUIRED' || account.code !== ''
  const signsIn = async (event: FormEvent) => {
    event.preventDefault()
    const { code, ...rest } = account
    if (!(await act(person.auth.login({ ...rest, ...(code ? { code } : {}) } as never)))) return
    arrive()
  }

  return (
    <AccountFrame
      title="Sign in"
      below={
        config?.features.signup && (
          <>
            No account yet?{' '}
            <Link to="/sign-up" search={(next ? { next } : {}) as never} className={linkLook}>
              Sign up
            </Link>
          </>
        )
      }
    >
      <form onSubmit={signsIn} className="space-y-4">
        <EmailField
          value={account.email}
          wrong={wrongAt(error, 'email')}
          onChange={(email) => setAccount({ ...account, email })}
        />
        <PasswordField
          label="Password"
          value={account.password}
          onChange={(password) => setAccount({ ...account, password })}
        />
        {asksForCode && (
          <Input
            label="Code of your authenticator app"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            hint="Or one of your recovery codes."
            value={account.code}
            onChange={(event) => setAccount({ ...account, code: event.target.value })}
          />
        )}
        {problem && !(error?.code === 'TWO_FACTOR_REQUIRED' && account.code === '') && <Problem error={problem} />}
        <Button kind="primary" type="submit" busy={busy} className="w-full">
          Sign in
        </Button>
      </form>
      <OtherWays />
      <p className="mt-5 text-center text-sm">
        <Link to="/forgot-password" className={linkLook}>
          Forgot your password?
        </Link>
      </p>
    </AccountFrame>
  )
}

/** Those that whoever runs this service has set up. */
function OtherWays() {
  const { data } = useQuery({ queryKey: ['oauth'], queryFn: () => unwrap(person.auth.oauthConfig()) })
  const ways = [
    data?.github && ['github', 'GitHub'],
    data?.google && ['google', 'Google'],
    data?.oidc && ['oidc', data.oidc.name],
  ]
  return ways.filter(Array.isArray).map(([way, name]) => (
    <a
      key={way}
      href={`${SERVICE_URL}/auth/oauth/${way}`}
      className="mt-3 flex h-9 items-center justify-center rounded-part border border-line-strong text-sm font-medium hover:bg-panel"
    >
      Continue with {name}
    </a>
  ))
}
