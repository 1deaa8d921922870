/** What protects the person's account: the verified address, the password, the second factor, the sessions. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { meQuery, person } from '../../api.ts'
import { NewPasswordField, PasswordField } from '../../parts/account-fields.tsx'
import { Button } from '../../parts/button.tsx'
import { wrongAt } from '../../parts/field.tsx'
import { Card } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useAct } from '../../use-act.ts'
import { Sessions } from './sessions.tsx'
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
  const asks = async () => {
    const { error } = await person.auth.requestVerification()
    if (error) toast.failed(error)
    else toast.done('A mail is on its way.')
  }
  return (
    <Card
      title="Your address is not verified"
      lead={`A link sent to ${me.email} proves that it is yours.`}
      actions={<Button onClick={() => void asks()}>Send the link</Button>}
    >
      <p className="text-sm text-soft">It works once, for one hour.</p>
    </Card>
  )
}

const BLANK = { password: '', newPassword: '' }

function Password() {
  const toast = useToast()
  const { act, busy, error, problem } = useAct()
  const [draft, setDraft] = useState(BLANK)
  const changes = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await act(person.auth.changePassword(draft.password, draft.newPassword)))) return
    setDraft(BLANK)
    toast.done('Password changed. Your other sessions have ended.')
  }
  return (
    <Card title="Password">
      <form onSubmit={changes} className="max-w-lg space-y-4">
        <PasswordField
          label="Current password"
          value={draft.password}
          onChange={(password) => setDraft({ ...draft, password })}
        />
        <NewPasswordField
          label="New password"
          value={draft.newPassword}
          wrong={wrongAt(error, 'newPassword')}
          onChange={(newPassword) => setDraft({ ...draft, newPassword })}
        />
        {problem && !wrongAt(error, 'newPassword') && <Problem error={problem} />}
        <Button type="submit" busy={busy}>
          Change password
        </Button>
      </form>
    </Card>
  )
}
