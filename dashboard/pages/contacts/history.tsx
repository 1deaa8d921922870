/** What a contact did, and what was sent to it. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { EmailStatus } from '../../parts/badge.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading } from '../../parts/page.tsx'
import { Cell, Row, Table } from '../../parts/table.tsx'
import { useApi } from '../../project.ts'

export function ContactEvents({ contactId }: { contactId: string }) {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'events', 'contact', contactId],
    queryFn: () => unwrap(api.events.ofContact(contactId, { limit: 20 })),
  })
  if (!data) return null
  return (
    <Card title="Events">
      {data.data.length === 0 && <p className="text-sm text-soft">Nothing has happened yet.</p>}
      <ol className="space-y-3 text-sm">
        {data.data.map((event) => (
          <li key={event.id} className="flex justify-between gap-3">
            <span className="font-medium">{event.name}</span>
            <span className="text-soft">
              <Moment at={event.createdAt} relative />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

export function ContactEmails({ contactId }: { contactId: string }) {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'emails', 'contact', contactId],
    queryFn: () => unwrap(api.emails.list({ contactId, limit: 20 })),
  })
  return (
    <Card title="Emails" flush={Boolean(data?.data.length)}>
      {!data && <Loading />}
      {data?.data.length === 0 && <p className="text-sm text-soft">None was sent to this contact.</p>}
      {data && data.data.length > 0 && (
        <Table label="Emails of this contact" head={['Subject', 'Status', 'When']}>
          {data.data.map((email) => (
            <Row key={email.id}>
              <Cell className="w-full">
                <Link to={inProjectPath(projectId, `emails/${email.id}`)} className="font-medium hover:underline">
                  {email.subject || '(no subject)'}
                </Link>
              </Cell>
              <Cell>
                <EmailStatus status={email.status} />
              </Cell>
              <Cell className="text-soft">
                <Moment at={email.createdAt} relative />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Card>
  )
}
