/** The link of an invitation leads here: says to what, and takes the person the shortest way in. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { person, queryClient, unwrap } from '../../api.ts'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Loading } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useAct } from '../../use-act.ts'
import { AccountFrame, linkLook } from './frame.tsx'

export function AcceptInvitationPage() {
  const { token = '' } = useSearch({ strict: false }) as { token?: string }
  const here = useRouterState({ select: (state) => state.location.href })
  const navigate = useNavigate()
  const { act, busy, error: refused, problem } = useAct()
  const { data, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => unwrap(person.projects.invitations.preview(token)),
  })
  const accepts = async () => {
    if (!(await act(person.projects.invitations.accept(token)))) return
    queryClient.clear()
    await navigate({ to: '/' })
  }
  if (error) {
    return (
      <AccountFrame title="This invitation does not work">
        <Problem error={error} />
      </AccountFrame>
    )
  }
  if (!data) return <Loading />
  const lead = `${data.invitedBy ?? 'Someone'} invites ${data.email} to work on it.`
  if (!data.hasAccount) {
    return (
      <AccountFrame title={`Join ${data.projectName}`} lead={lead}>
        <LinkButton kind="primary" to="/sign-up" search={{ invitation: token, email: data.email }}>
          Create your account
        </LinkButton>
      </AccountFrame>
    )
  }
  return (
    <AccountFrame title={`Join ${data.projectName}`} lead={lead}>
      <div className="space-y-4">
        {problem && refused?.statusCode !== 401 && <Problem error={problem} />}
        {refused?.statusCode === 401 ? (
          <p className="text-sm">
            <Link to="/sign-in" search={{ next: here } as never} className={linkLook}>
              Sign in
            </Link>{' '}
            as {data.email} first; you come back here.
          </p>
        ) : (
          <Button kind="primary" busy={busy} className="w-full" onClick={() => void accepts()}>
            Accept the invitation
          </Button>
        )}
      </div>
    </AccountFrame>
  )
}
