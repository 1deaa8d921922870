/** Accepts an invitation, after signing in or creating an account if needed. */
import { useQuery } from '@tanstack/react-query'
import { useRouterState, useSearch } from '@tanstack/react-router'
import { accountPage } from '../../addresses.ts'
import { queryClient, unwrap, userApi } from '../../data/api.ts'
import { errorOf } from '../../data/errors.ts'
import { useAction } from '../../data/use-action.ts'
import { Link, useNavigate } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Loading } from '../../shell/page.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { errorTexts } from '../../shell/texts.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { AccountFrame, linkLook } from './frame.tsx'
import { texts } from './texts.ts'

const TOO_MANY_REQUESTS = 429

export function AcceptInvitationPage() {
  const { token = '' } = useSearch({ strict: false }) as { token?: string }
  const here = useRouterState({ select: (state) => state.location.href })
  const navigate = useNavigate()
  const { run, busy, error: acceptError, problem } = useAction()
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => unwrap(userApi.projects.invitations.preview(token)),
  })
  const acceptInvitation = async () => {
    if (!(await run(userApi.projects.invitations.accept(token)))) return
    queryClient.clear()
    await navigate(accountPage('/'))
  }
  if (error) {
    const { statusCode = 500 } = errorOf(error)
    const isInvalid = statusCode < 500 && statusCode !== TOO_MANY_REQUESTS
    return isInvalid ? (
      <AccountFrame title={texts.invitation.invalidTitle} lead={texts.invitation.invalid}>
        <LinkButton kind="primary" to={accountPage('/')}>
          {texts.invitation.toDashboard}
        </LinkButton>
      </AccountFrame>
    ) : (
      <AccountFrame title={errorTexts.failedTitle}>
        <Problem error={error} retry={() => void refetch()} />
      </AccountFrame>
    )
  }
  if (!data) return <Loading />
  const title = texts.invitation.title(data.projectName)
  const lead = texts.invitation.lead(data.email, data.invitedBy)
  return (
    <AccountFrame title={title} lead={lead}>
      <div className="space-y-4">
        {problem && acceptError?.statusCode !== 401 && <Problem error={problem} />}
        {acceptError?.statusCode === 401 ? (
          <p className="text-sm">
            <RichText
              text={texts.invitation.signInFirst(data.email)}
              elements={{
                link: (label) => (
                  <Link to={accountPage('/sign-in', { next: here })} className={linkLook}>
                    {label}
                  </Link>
                ),
              }}
            />
          </p>
        ) : (
          <Button kind="primary" busy={busy} className="w-full" onClick={() => void acceptInvitation()}>
            {texts.invitation.accept}
          </Button>
        )}
        <p className="text-sm">
          <RichText
            text={texts.invitation.signUp}
            elements={{
              link: (label) => (
                <Link to={accountPage('/sign-up', { invitation: token, email: data.email })} className={linkLook}>
                  {label}
                </Link>
              ),
            }}
          />
        </p>
      </div>
    </AccountFrame>
  )
}
