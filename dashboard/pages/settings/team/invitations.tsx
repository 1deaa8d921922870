/** The invitations that were not accepted yet. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { unwrap, userApi } from '../../../data/api.ts'
import { useProject } from '../../../data/project.ts'
import { Moment } from '../../../figures/moment.tsx'
import { ACTIONS, Cell, OnPhone, Row, Table } from '../../../lists/table.tsx'
import { useIsCaptured } from '../../../mail/captured-notice.tsx'
import { Card } from '../../../shell/page.tsx'
import { RichText } from '../../../shell/rich-text.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyValue, copyText } from '../../../ui/copy.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'

const { column } = texts.invitations

export function Invitations() {
  const project = useProject()
  const queries = useQueryClient()
  const toast = useToast()
  const captured = useIsCaptured()
  /** The links that were created in this window. Only their hashes are stored. */
  const [links, setLinks] = useState<Record<string, string>>({})
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
  const copyLink = async (id: string, email: string) => {
    const { data, error } = await userApi.projects.invitations.createLink(project.id, id)
    if (error) return toast.failed(error)
    setLinks((now) => ({ ...now, [id]: data.url }))
    await copyText(data.url).then(
      () => toast.done(texts.invitations.linkCopied(email)),
      () => undefined, // the browser refuses access to the clipboard; the link is shown below
    )
    void queries.invalidateQueries({ queryKey: key })
  }
  if (!data || data.length === 0) return null
  return (
    <Card
      title={texts.invitations.title}
      lead={captured ? texts.invitations.leadCaptured : texts.invitations.lead}
      flush
    >
      <Table
        label={texts.invitations.title}
        head={[column.email, { wide: column.role }, { wide: column.expires }, ACTIONS]}
      >
        {data.map((one) => (
          <Row key={one.id}>
            <Cell className="w-full max-sm:max-w-0">
              <span className="font-medium wrap-anywhere">{one.email}</span>
              <OnPhone>
                <RichText
                  text={texts.invitations.roleAndExpiry(texts.members.roles[one.role])}
                  elements={{ time: () => <Moment at={one.expiresAt} relative /> }}
                />
              </OnPhone>
              {links[one.id] && (
                <div className="mt-1 max-w-md text-soft">
                  <CopyValue text={links[one.id]!} label={texts.invitations.copyLinkLabel(one.email)} />
                  <p className="mt-1 text-[0.8125rem]">{texts.invitations.linkHint(one.email)}</p>
                </div>
              )}
            </Cell>
            <Cell wide className="min-w-32">
              {texts.members.roles[one.role]}
            </Cell>
            <Cell wide className="min-w-32 text-soft first-letter:uppercase">
              <Moment at={one.expiresAt} relative />
            </Cell>
            <Cell className="sm:min-w-56">
              <span className="flex justify-end gap-2 max-sm:flex-col max-sm:gap-1">
                <Button
                  aria-label={texts.invitations.copyLinkLabel(one.email)}
                  onClick={() => void copyLink(one.id, one.email)}
                >
                  {texts.invitations.copyLink}
                </Button>
                <Button
                  kind="remove"
                  aria-label={texts.invitations.revokeLabel(one.email)}
                  onClick={() => void revokeInvitation(one.id)}
                >
                  {texts.invitations.revoke}
                </Button>
              </span>
            </Cell>
          </Row>
        ))}
      </Table>
    </Card>
  )
}
