/** The invitations that were not accepted yet. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { unwrap, userApi } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card } from '../../parts/page.tsx'
import { ACTIONS, Cell, Row, Table } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useProject } from '../../project.ts'
import { texts } from './texts.ts'

const { column } = texts.invitations

export function Invitations() {
  const project = useProject()
  const queries = useQueryClient()
  const toast = useToast()
  const key = [project.id, 'members', 'invitations']
  const { data } = useQuery({
    queryKey: key,
    queryFn: async () => (await unwrap(userApi.projects.invitations.list(project.id))).data,
  })
  const revokeInvitation = async (id: string) => {
    const { error } = await userApi.projects.invitations.delete(project.id, id)
    if (error) return toast.failed(error)
    toast.done(texts.invitations.revoked)
    void queries.invalidateQueries({ queryKey: key })
  }
  if (!data || data.length === 0) return null
  return (
    <Card title={texts.invitations.title} lead={texts.invitations.lead} flush>
      <Table label={texts.invitations.title} head={[column.email, column.role, column.expires, ACTIONS]}>
        {data.map((one) => (
          <Row key={one.id}>
            <Cell className="w-full font-medium">{one.email}</Cell>
            <Cell>{texts.members.roles[one.role]}</Cell>
            <Cell className="text-soft">
              <Moment at={one.expiresAt} />
            </Cell>
            <Cell>
              <Button
                kind="danger"
                aria-label={texts.invitations.revokeLabel(one.email)}
                onClick={() => void revokeInvitation(one.id)}
              >
                {texts.invitations.revoke}
              </Button>
            </Cell>
          </Row>
        ))}
      </Table>
    </Card>
  )
}
