/** The sessions of the user's account. */

import type { Result } from '@posthorn/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { unwrap, userApi } from '../../../data/api.ts'
import { Moment } from '../../../figures/moment.tsx'
import { Problem } from '../../../lists/problem.tsx'
import { ACTIONS, Cell, OnPhone, Row, Table } from '../../../lists/table.tsx'
import { Card, Loading } from '../../../shell/page.tsx'
import { sharedTexts } from '../../../shell/texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'
import { browserOf } from './browser-name.ts'

const { column } = texts.sessions

export function Sessions() {
  const queries = useQueryClient()
  const toast = useToast()
  const { data: sessions, error } = useQuery({
    queryKey: ['sessions'],
    queryFn: async () => (await unwrap(userApi.auth.sessions.list())).data,
  })
  const revokeSessions = async (call: Promise<Result<unknown>>, message: string) => {
    const { error } = await call
    if (error) return toast.failed(error)
    toast.done(message)
    void queries.invalidateQueries({ queryKey: ['sessions'] })
  }
  if (error) return <Problem error={error} />
  if (!sessions) return <Loading />
  return (
    <Card
      title={texts.sessions.title}
      lead={texts.sessions.lead}
      flush
      actions={
        sessions.length > 1 && (
          <Button
            kind="remove"
            onClick={() => void revokeSessions(userApi.auth.sessions.revokeOthers(), texts.sessions.othersSignedOut)}
          >
            {texts.sessions.signOutOthers}
          </Button>
        )
      }
    >
      <Table label={texts.sessions.title} head={[column.browser, { wide: column.address }, column.lastActive, ACTIONS]}>
        {sessions.map((session) => (
          <Row key={session.id}>
            <Cell className="w-full font-medium">
              <span title={session.userAgent ?? undefined}>{browserOf(session.userAgent)}</span>{' '}
              {session.current && <Badge tone="good">{texts.sessions.current}</Badge>}
              <OnPhone>{session.ip}</OnPhone>
            </Cell>
            <Cell wide className="text-soft">
              {session.ip ?? sharedTexts.missing}
            </Cell>
            <Cell className="text-soft whitespace-nowrap first-letter:uppercase">
              <Moment at={session.lastSeenAt} relative />
            </Cell>
            <Cell>
              {!session.current && (
                <Button
                  kind="remove"
                  aria-label={texts.sessions.signOutLabel(browserOf(session.userAgent))}
                  onClick={() =>
                    void revokeSessions(userApi.auth.sessions.revoke(session.id), texts.sessions.signedOut)
                  }
                >
                  {texts.sessions.signOut}
                </Button>
              )}
            </Cell>
          </Row>
        ))}
      </Table>
    </Card>
  )
}
