/** Signs in, with a second factor if the account has one. */
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { accountPage } from '../../addresses.ts'
import { SERVICE_URL, unwrap, useConfig, userApi } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { Link } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { EmailField, PasswordField } from '../../shell/account-fields.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { Button } from '../../ui/button.tsx'
import { fieldError, Input } from '../../ui/field.tsx'
import { AccountFrame, linkLook } from './frame.tsx'
import { texts } from './texts.ts'
import { useRedirect } from './use-redirect.ts'

export function SignInPage() {
  const { next } = useSearch({ strict: false }) as { next?: string }
  const redirect = useRedirect()
  const config = useConfig()
  const { run, busy, error, problem } = useAction()
  const [account, setAccount] = useState({ email: '', password: '', code: '' })
  const needsCode = error?.code === 'TWO_FACTOR_REQUIRED' || account.code !== ''
  const signIn = async (event: FormEvent) => {
    event.preventDefault()
    const { code, ...rest } = account
    if (!(await run(userApi.auth.login({ ...rest, ...(code ? { code } : {}) })))) return
    redirect()
  }

  return (
    <AccountFrame
      title={texts.signIn.title}
      below={
        config?.features.signup && (
          <RichText
            text={texts.signIn.signUp}
            elements={{
              link: (label) => (
                <Link to={accountPage('/sign-up', { next })} className={linkLook}>
                  {label}
                </Link>
              ),
            }}
          />
        )
      }
    >
      <form onSubmit={signIn} className="space-y-4">
        <EmailField
          value={account.email}
          error={fieldError(error, 'email')}
          onChange={(email) => setAccount({ ...account, email })}
        />
        <PasswordField
          label={texts.signIn.password}
          value={account.password}
          onChange={(password) => setAccount({ ...account, password })}
        />
        {needsCode && (
          <Input
            label={texts.signIn.code}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            hint={texts.signIn.codeHint}
            value={account.code}
            onChange={(event) => setAccount({ ...account, code: event.target.value })}
          />
        )}
        {problem && !(error?.code === 'TWO_FACTOR_REQUIRED' && account.code === '') && <Problem error={problem} />}
        <Button kind="primary" type="submit" busy={busy} className="w-full">
          {texts.signIn.submit}
        </Button>
      </form>
      <OtherProviders />
      <p className="mt-5 text-center text-sm">
        <Link to={accountPage('/forgot-password')} className={linkLook}>
          {texts.signIn.forgotPassword}
        </Link>
      </p>
    </AccountFrame>
  )
}

/** The OAuth providers that are configured. */
function OtherProviders() {
  const { data } = useQuery({ queryKey: ['oauth'], queryFn: () => unwrap(userApi.auth.oauthConfig()) })
  const providers = [
    data?.github && ['github', 'GitHub'],
    data?.google && ['google', 'Google'],
    data?.oidc && ['oidc', data.oidc.name],
  ]
  return providers.filter(Array.isArray).map(([provider, name]) => (
    <a
      key={provider}
      href={`${SERVICE_URL}/auth/oauth/${provider}`}
      className="mt-3 flex h-9 items-center justify-center rounded-part border border-line-strong text-sm font-medium hover:bg-panel"
    >
      {texts.signIn.continueWith(name)}
    </a>
  ))
}
