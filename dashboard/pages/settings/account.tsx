/** The user's account: verified address, password, second factor and sessions. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { meQuery, userApi } from '../../api.ts'
import { NewPasswordField, PasswordField } from '../../parts/account-fields.tsx'
import { Button } from '../../parts/button.tsx'
import { fieldError } from '../../parts/field.tsx'
import { Card } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useAction } from '../../use-action.ts'
import { Sessions } from './sessions.tsx'
import { texts } from './texts.ts'
import { TwoFactor } from './two-factor.tsx'

export function AccountTab() {
  return (
    <>
      <Address />
      <Password />
      <TwoFactor />
      <Sessions />
    </>
  )
}

function Address() {
  const { data: me } = useQuery(meQuery)
  const toast = useToast()
  if (!me || me.emailVerified) return null
  const sendVerificationLink = async () => {
    const { error } = await userApi.auth.requestVerification()
    if (error) toast.failed(error)
    else toast.done(texts.account.linkSent)
  }
  return (
    <Card title={texts.account.unverifiedTitle} lead={texts.account.unverifiedLead(me.email)}>
      <Button onClick={() => void sendVerificationLink()}>{texts.account.sendLink}</Button>
    </Card>
  )
}

const BLANK = { password: '', newPassword: '' }

function Password() {
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const [draft, setDraft] = useState(BLANK)
  const changePassword = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await run(userApi.auth.changePassword(draft.password, draft.newPassword)))) return
    setDraft(BLANK)
    toast.done(texts.account.passwordChanged)
  }
  return (
    <Card title={texts.account.password}>
      <form onSubmit={changePassword} className="max-w-lg space-y-4">
        <PasswordField
          label={texts.account.currentPassword}
          value={draft.password}
          onChange={(password) => setDraft({ ...draft, password })}
        />
        <NewPasswordField
          label={texts.account.newPassword}
          value={draft.newPassword}
          error={fieldError(error, 'newPassword')}
          onChange={(newPassword) => setDraft({ ...draft, newPassword })}
        />
        {problem && !fieldError(error, 'newPassword') && <Problem error={problem} />}
        <Button type="submit" busy={busy}>
          {texts.account.changePassword}
        </Button>
      </form>
    </Card>
  )
}
