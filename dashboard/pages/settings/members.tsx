/** Who works on the project, and as what. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { meQuery, person, type Schemas, unwrap } from '../../api.ts'
import { Badge, inWords } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Input, Select, wrongAt } from '../../parts/field.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { ACTS, Cell, Row, Table } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useManages, useProject } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import { Invitations } from './invitations.tsx'

type Member = Schemas['Member']

const ROLES = { MEMBER: 'Member', ADMIN: 'Admin' }

export function MembersTab() {
  const project = useProject()
  const { data: me } = useQuery(meQuery)
  const queries = useQueryClient()
  const toast = useToast()
  const [removing, setRemoving] = useState<Member>()
  const key = [project.id, 'members']
  const manages = useManages()
  const { data: members, error } = useQuery({
    queryKey: key,
    queryFn: async () => (await unwrap(person.projects.members.list(project.id))).data,
  })
  const reload = () => queries.invalidateQueries({ queryKey: key })
  const changesRole = async (member: Member, role: string) => {
    const { error } = await person.projects.members.update(project.id, member.userId, { role } as never)
    if (error) return toast.failed(error)
    toast.done(`${member.email} is now ${inWords(role)}.`)
    void reload()
  }
  if (error) return <Problem error={error} />
  if (!members) return <Loading />
  return (
    <>
      {manages && <AddMember onDone={() => void reload()} />}
      <Card title="Members" flush>
        <Table label="Members" head={['Email', 'Role', 'Since', ACTS]}>
          {members.map((member) => {
            const fixed = !manages || member.role === 'OWNER' || member.userId === me?.id
            return (
              <Row key={member.userId}>
                <Cell className="w-full font-medium">
                  {member.email} {member.userId === me?.id && <Badge>You</Badge>}
                </Cell>
                <Cell>
                  {fixed ? (
                    inWords(member.role)
                  ) : (
                    <Select
                      label={`Role of ${member.email}`}
                      hideLabel
                      value={member.role}
                      options={ROLES}
                      onChange={(event) => void changesRole(member, event.target.value)}
                    />
                  )}
                </Cell>
                <Cell className="text-soft">
                  <Moment at={member.createdAt} relative />
                </Cell>
                <Cell>
                  {!fixed && (
                    <Button kind="danger" aria-label={`Remove ${member.email}`} onClick={() => setRemoving(member)}>
                      Remove
                    </Button>
                  )}
                </Cell>
              </Row>
            )
          })}
        </Table>
      </Card>
      {manages && <Invitations />}
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title="Remove this member?"
        name={removing?.email}
        act="Remove the member"
        onAct={async () => {
          await unwrap(person.projects.members.remove(project.id, removing!.userId))
          toast.done('Member removed.')
          void reload()
        }}
      >
        <p>{removing?.email} loses access with the next click.</p>
      </Confirm>
    </>
  )
}

function AddMember({ onDone }: { onDone(): void }) {
  const project = useProject()
  const toast = useToast()
  const { act, busy, error, problem } = useAct()
  const [draft, setDraft] = useState({ email: '', role: 'MEMBER' })
  const [stranger, setStranger] = useState(false)
  const adds = async (event: FormEvent) => {
    event.preventDefault()
    const { error } = await person.projects.members.add(project.id, draft as never)
    // Nobody here has that address: an invitation goes there by mail.
    const invites = error?.statusCode === 404
    const done = await act(
      invites
        ? person.projects.invitations.create(project.id, draft as never)
        : Promise.resolve(error ? { error } : { data: undefined as unknown }),
    )
    setStranger(invites)
    if (!done) return
    toast.done(invites ? `An invitation is on its way to ${draft.email}.` : `${draft.email} is in.`)
    setDraft({ email: '', role: 'MEMBER' })
    onDone()
  }
  return (
    <Card title="Add someone" lead="Whoever has no account yet gets an invitation by mail.">
      <form onSubmit={adds} className="flex flex-wrap items-end gap-3">
        <div className="min-w-56 flex-1">
          <Input
            label="Email"
            type="email"
            required
            value={draft.email}
            wrong={wrongAt(error, 'email')}
            onChange={(event) => setDraft({ ...draft, email: event.target.value })}
          />
        </div>
        <div className="w-36">
          <Select
            label="Role"
            value={draft.role}
            options={ROLES}
            onChange={(event) => setDraft({ ...draft, role: event.target.value })}
          />
        </div>
        <Button kind="primary" type="submit" busy={busy}>
          Add member
        </Button>
      </form>
      {problem && !wrongAt(error, 'email') && (
        <div className="mt-4">
          <Problem error={problem} />
          {stranger && <p className="mt-2 text-sm text-soft">This address has no account here.</p>}
        </div>
      )}
    </Card>
  )
}
