/** Where the person is signed in, and the way to end it. */

import type { Result } from '@posthorn/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { person, unwrap } from '../../api.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { ACTS, Cell, Row, Table } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { browserOf } from './browser-name.ts'

export function Sessions() {
  const queries = useQueryClient()
  const toast = useToast()
  const { data: sessions, error } = useQuery({
    queryKey: ['sessions'],
    queryFn: async () => (await unwrap(person.auth.sessions.list())).data,
  })
  const ends = async (call: Promise<Result<unknown>>, words: string) => {
    const { error } = await call
    if (error) return toast.failed(error)
    toast.done(words)
    void queries.invalidateQueries({ queryKey: ['sessions'] })
  }
  if (error) return <Problem error={error} />
  if (!sessions) return <Loading />
  return (
    <Card
      title="Sessions"
      lead="Where you are signed in. One you do not know? End it and change your password."
      flush
      actions={
        sessions.length > 1 && (
          <Button
            kind="danger"
            onClick={() => void ends(person.auth.sessions.revokeOthers(), 'All others have ended.')}
          >
            End all others
          </Button>
        )
      }
    >
      <Table label="Sessions" head={['Browser', 'Address', 'Last seen', ACTS]}>
        {sessions.map((session) => (
          <Row key={session.id}>
            <Cell className="w-full font-medium">
              <span title={session.userAgent ?? undefined}>{browserOf(session.userAgent)}</span>{' '}
              {session.current && <Badge tone="good">This one</Badge>}
            </Cell>
            <Cell className="text-soft">{session.ip ?? '–'}</Cell>
            <Cell className="text-soft">
              <Moment at={session.lastSeenAt} relative />
            </Cell>
            <Cell>
              {!session.current && (
                <Button
                  kind="danger"
                  onClick={() => void ends(person.auth.sessions.revoke(session.id), 'Session ended.')}
                >
                  End
                </Button>
              )}
            </Cell>
          </Row>
        ))}
      </Table>
    </Card>
  )
}
