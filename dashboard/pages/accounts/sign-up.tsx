/** Creates an account. */
import { useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { accountPage } from '../../addresses.ts'
import { useConfig, userApi } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { Link } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { EmailField, NewPasswordField } from '../../shell/account-fields.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { Button } from '../../ui/button.tsx'
import { fieldError } from '../../ui/field.tsx'
import { AccountFrame, linkLook } from './frame.tsx'
import { texts } from './texts.ts'
import { useRedirect } from './use-redirect.ts'

export function SignUpPage() {
  const { invitation, email = '' } = useSearch({ strict: false }) as Record<string, string | undefined>
  const redirect = useRedirect()
  const config = useConfig()
  const { run, busy, error, problem } = useAction()
  const [account, setAccount] = useState({ email, password: '' })
  const signUp = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await run(userApi.auth.signup({ ...account, ...(invitation ? { invitation } : {}) })))) return
    redirect()
  }

  if (config && !config.features.signup && !invitation) {
    return (
      <AccountFrame title={texts.signUp.closedTitle} below={<SignInLink />}>
        <p className="text-sm text-soft">{texts.signUp.closed}</p>
      </AccountFrame>
    )
  }
  return (
    <AccountFrame title={texts.signUp.title} below={<SignInLink />}>
      <form onSubmit={signUp} className="space-y-4">
        <EmailField
          focus={email === ''}
          value={account.email}
          error={fieldError(error, 'email')}
          onChange={(email) => setAccount({ ...account, email })}
        />
        <NewPasswordField
          label={texts.signUp.password}
          focus={email !== ''}
          value={account.password}
          error={fieldError(error, 'password')}
          onChange={(password) => setAccount({ ...account, password })}
        />
        {problem && <Problem error={problem} shown={['email', 'password']} />}
        <Button kind="primary" type="submit" busy={busy} className="w-full">
          {texts.signUp.submit}
        </Button>
      </form>
    </AccountFrame>
  )
}

const SignInLink = () => (
  <RichText
    text={texts.signUp.signIn}
    elements={{
      link: (label) => (
        <Link to={accountPage('/sign-in')} className={linkLook}>
          {label}
        </Link>
      ),
    }}
  />
)
