/** The user's account: address, password, second factor and sessions. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { projectPage } from '../../../addresses.ts'
import { meQuery, userApi } from '../../../data/api.ts'
import { useProjectId } from '../../../data/project.ts'
import { useAction } from '../../../data/use-action.ts'
import { Link } from '../../../links.tsx'
import { Problem } from '../../../lists/problem.tsx'
import { useIsCaptured } from '../../../mail/captured-notice.tsx'
import { NewPasswordField, PasswordField } from '../../../shell/account-fields.tsx'
import { Card } from '../../../shell/page.tsx'
import { RichText } from '../../../shell/rich-text.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { fieldError } from '../../../ui/field.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'
import { LanguageChoice } from './language.tsx'
import { Sessions } from './sessions.tsx'
import { TwoFactor } from './two-factor.tsx'

export function AccountTab() {
  return (
    <>
      <Address />
      <LanguageChoice />
      <Password />
      <TwoFactor />
      <Sessions />
    </>
  )
}

/** Who is signed in, and the confirmation of the address. */
function Address() {
  const { data: me } = useQuery(meQuery)
  const toast = useToast()
  const captured = useIsCaptured()
  if (!me) return null
  const sendVerificationLink = async () => {
    const { error } = await userApi.auth.requestVerification()
    if (error) toast.failed(error)
    else toast.done(captured ? texts.account.linkCaptured : texts.account.linkSent)
  }
  return (
    <Card title={texts.account.email}>
      <p className="flex flex-wrap items-center gap-2.5 text-sm">
        <span className="min-w-0 wrap-anywhere">{me.email}</span>
        {me.emailVerified ? (
          <Badge tone="good">{texts.account.confirmed}</Badge>
        ) : (
          <Badge tone="warn">{texts.account.unconfirmed}</Badge>
        )}
      </p>
      {!me.emailVerified && (
        <>
          <p className="mt-2 mb-4 text-sm text-soft">
            <RichText
              text={captured ? texts.account.unverifiedCaptured : texts.account.unverifiedLead}
              elements={{ link: (label) => (me.operator ? <SystemMailLink label={label} /> : label) }}
            />
          </p>
          <Button onClick={() => void sendVerificationLink()}>
            {captured ? texts.account.createLink : texts.account.sendLink}
          </Button>
        </>
      )}
    </Card>
  )
}

function SystemMailLink({ label }: { label: string }) {
  const projectId = useProjectId()
  return (
    <Link
      to={projectPage(projectId, 'settings', { tab: 'system-mail' })}
      className="whitespace-nowrap text-accent underline"
    >
      {label}
    </Link>
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
        {problem && <Problem error={problem} shown={['newPassword']} />}
        <Button type="submit" busy={busy}>
          {texts.account.changePassword}
        </Button>
      </form>
    </Card>
  )
}
