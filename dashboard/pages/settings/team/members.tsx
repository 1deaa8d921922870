/** The members of the project with their roles. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { meQuery, type Schemas, unwrap, userApi } from '../../../data/api.ts'
import { useCanManage, useProject } from '../../../data/project.ts'
import { useAction } from '../../../data/use-action.ts'
import { Moment } from '../../../figures/moment.tsx'
import { Problem } from '../../../lists/problem.tsx'
import { ACTIONS, Cell, Row, Table } from '../../../lists/table.tsx'
import { CapturedNotice, useIsCaptured } from '../../../mail/captured-notice.tsx'
import { Card, Loading } from '../../../shell/page.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button, RemoveButton } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { fieldError, Input, Select } from '../../../ui/field.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'
import { Invitations } from './invitations.tsx'

type Member = Schemas['Member']

const { roles } = texts.members

/** The owner's role can't be assigned. */
const ROLES = { MEMBER: roles.MEMBER, ADMIN: roles.ADMIN }

const { column } = texts.members

export function MembersTab() {
  const project = useProject()
  const { data: me } = useQuery(meQuery)
  const queries = useQueryClient()
  const toast = useToast()
  const [removing, setRemoving] = useState<Member>()
  const key = [project.id, 'members']
  const canManage = useCanManage()
  const { data: members, error } = useQuery({
    queryKey: key,
    queryFn: async () => (await unwrap(userApi.projects.members.list(project.id))).data,
  })
  const reload = () => queries.invalidateQueries({ queryKey: key })
  const changeRole = async (member: Member, role: keyof typeof ROLES) => {
    const { error } = await userApi.projects.members.update(project.id, member.userId, { role })
    if (error) return toast.failed(error)
    toast.done(texts.members.roleChanged(member.email, roles[role]))
    void reload()
  }
  if (error) return <Problem error={error} />
  if (!members) return <Loading />
  return (
    <>
      {canManage && <CapturedNotice>{texts.members.captured}</CapturedNotice>}
      <Card flush>
        <Table label={texts.members.title} head={[column.email, column.role, { wide: column.joined }, ACTIONS]}>
          {members.map((member) => {
            const fixed = !canManage || member.role === 'OWNER' || member.userId === me?.id
            return (
              <Row key={member.userId}>
                <Cell className="w-full font-medium max-sm:wrap-anywhere">
                  {member.email} {member.userId === me?.id && <Badge>{texts.members.you}</Badge>}
                </Cell>
                <Cell className="min-w-32">
                  {fixed ? (
                    roles[member.role]
                  ) : (
                    <Select
                      label={texts.members.roleOf(member.email)}
                      hideLabel
                      value={member.role}
                      options={ROLES}
                      onChange={(event) => void changeRole(member, event.target.value as keyof typeof ROLES)}
                    />
                  )}
                </Cell>
                <Cell wide className="min-w-32 text-soft first-letter:uppercase">
                  <Moment at={member.createdAt} relative />
                </Cell>
                <Cell className="sm:min-w-56 sm:text-end">
                  {!fixed && (
                    <RemoveButton label={texts.members.remove(member.email)} onClick={() => setRemoving(member)} />
                  )}
                </Cell>
              </Row>
            )
          })}
        </Table>
      </Card>
      {canManage && <Invitations />}
      {canManage && <AddMember onDone={() => void reload()} />}
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={texts.members.removeTitle}
        typeToConfirm={removing?.email}
        action={texts.members.removeAction}
        onConfirm={async () => {
          await unwrap(userApi.projects.members.remove(project.id, removing!.userId))
          toast.done(texts.members.removed)
          void reload()
        }}
      >
        <p>{texts.members.removeEffect(removing?.email ?? '')}</p>
      </Confirm>
    </>
  )
}

function AddMember({ onDone }: { onDone(): void }) {
  const project = useProject()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const [draft, setDraft] = useState<{ email: string; role: keyof typeof ROLES }>({ email: '', role: 'MEMBER' })
  const [hasNoAccount, setHasNoAccount] = useState(false)
  const captured = useIsCaptured()
  const addMember = async (event: FormEvent) => {
    event.preventDefault()
    const { error } = await userApi.projects.members.add(project.id, draft)
    // Without an account whose address is confirmed, an invitation is sent instead.
    const invites = error?.statusCode === 404
    const done = await run(
      invites
        ? userApi.projects.invitations.create(project.id, draft)
        : Promise.resolve(error ? { error } : { data: undefined as unknown }),
    )
    setHasNoAccount(invites)
    if (!done) return
    const invited = captured ? texts.members.invitedCaptured : texts.members.invited
    toast.done(invites ? invited(draft.email) : texts.members.added(draft.email))
    setDraft({ email: '', role: 'MEMBER' })
    onDone()
  }
  return (
    <Card title={texts.members.addTitle} lead={captured ? texts.members.addLeadCaptured : texts.members.addLead}>
      <form onSubmit={addMember} className="flex flex-wrap items-end gap-3">
        <div className="min-w-56 flex-1">
          <Input
            label={texts.members.email}
            type="email"
            required
            value={draft.email}
            error={fieldError(error, 'email')}
            onChange={(event) => setDraft({ ...draft, email: event.target.value })}
          />
        </div>
        <div className="w-36">
          <Select
            label={texts.members.role}
            value={draft.role}
            options={ROLES}
            onChange={(event) => setDraft({ ...draft, role: event.target.value as keyof typeof ROLES })}
          />
        </div>
        <Button kind="primary" type="submit" busy={busy}>
          {texts.members.add}
        </Button>
      </form>
      <dl className="mt-4 space-y-1 text-sm text-soft">
        {(['MEMBER', 'ADMIN'] as const).map((role) => (
          <div key={role}>
            <dt className="inline font-medium text-ink">{roles[role]}:</dt>{' '}
            <dd className="inline">{texts.members.permissions[role]}</dd>
          </div>
        ))}
      </dl>
      {problem && !fieldError(error, 'email') && (
        <div className="mt-4">
          <Problem error={problem} />
          {hasNoAccount && <p className="mt-2 text-sm text-soft">{texts.members.noAccount}</p>}
        </div>
      )}
    </Card>
  )
}
