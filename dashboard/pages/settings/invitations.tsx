/** Who was invited and has not come yet. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { person, unwrap } from '../../api.ts'
import { inWords } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card } from '../../parts/page.tsx'
import { ACTS, Cell, Row, Table } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useProject } from '../../project.ts'

export function Invitations() {
  const project = useProject()
  const queries = useQueryClient()
  const toast = useToast()
  const key = [project.id, 'members', 'invitations']
  const { data } = useQuery({
    queryKey: key,
    queryFn: async () => (await unwrap(person.projects.invitations.list(project.id))).data,
  })
  const withdraws = async (id: string) => {
    const { error } = await person.projects.invitations.delete(project.id, id)
    if (error) return toast.failed(error)
    toast.done('Invitation withdrawn.')
    void queries.invalidateQueries({ queryKey: key })
  }
  if (!data || data.length === 0) return null
  return (
    <Card title="Invited" lead="They have a mail with a link." flush>
      <Table label="Invitations" head={['Email', 'Role', 'Valid until', ACTS]}>
        {data.map((one) => (
          <Row key={one.id}>
            <Cell className="w-full font-medium">{one.email}</Cell>
            <Cell>{inWords(one.role)}</Cell>
            <Cell className="text-soft">
              <Moment at={one.expiresAt} />
            </Cell>
            <Cell>
              <Button kind="danger" aria-label={`Withdraw ${one.email}`} onClick={() => void withdraws(one.id)}>
                Withdraw
              </Button>
            </Cell>
          </Row>
        ))}
      </Table>
    </Card>
  )
}
