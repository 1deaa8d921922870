/** Account and notification emails that were captured instead of sent, so that their links can be used. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronLeft } from 'lucide-react'
import { projectPage } from '../../addresses.ts'
import { unwrap, userApi } from '../../data/api.ts'
import { useProjectId, useSearchState } from '../../data/project.ts'
import { Moment } from '../../figures/moment.tsx'
import { Link } from '../../links.tsx'
import { List } from '../../lists/list.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Cell, MomentCell, OnPhone, Row } from '../../lists/table.tsx'
import { useIsDark } from '../../look/theme.ts'
import { CapturedNotice, useIsCaptured } from '../../mail/captured-notice.tsx'
import { MailPreview } from '../../mail/mail-preview.tsx'
import { Card, Loading } from '../../shell/page.tsx'
import { CopyValue } from '../../ui/copy.tsx'
import { Fact, Facts } from './developers/smtp.tsx'
import { texts } from './texts.ts'

const T = texts.systemMail
/** System mail belongs to no project, so no stream reports it. */
const REFRESH_MS = 5_000

export function SystemMailTab() {
  const [{ message }] = useSearchState<'message'>()
  return message ? <Message id={message} /> : <Messages />
}

function Messages() {
  const projectId = useProjectId()
  const captured = useIsCaptured()
  const [{ cursor }] = useSearchState<'cursor'>()
  const query = { limit: 25, cursor }
  const list = useQuery({
    queryKey: ['system-mail', query],
    queryFn: () => unwrap(userApi.service.systemMail.list(query)),
    placeholderData: keepPreviousData,
    refetchInterval: captured && !cursor ? REFRESH_MS : false,
  })
  return (
    <>
      <CapturedNotice>{T.captured}</CapturedNotice>
      <List
        list={list}
        label={T.title}
        head={[T.column.subject, { wide: T.column.to }, T.column.date]}
        row={({ id, subject, to, createdAt }) => (
          <Row>
            <Cell className="w-full">
              <Link
                to={projectPage(projectId, 'settings', { tab: 'system-mail', message: id })}
                className="font-medium wrap-anywhere hover:underline"
              >
                {subject}
              </Link>
              <OnPhone>{to}</OnPhone>
            </Cell>
            <Cell wide className="text-soft">
              {to}
            </Cell>
            <MomentCell at={createdAt} />
          </Row>
        )}
        empty={<p className="px-5 pt-3 pb-5 text-sm text-soft">{captured ? T.empty : T.emptySent}</p>}
      />
    </>
  )
}

const LINK = /https?:\/\/\S+/

function Message({ id }: { id: string }) {
  const projectId = useProjectId()
  const isDark = useIsDark()
  const { data, error } = useQuery({
    queryKey: ['system-mail', id],
    queryFn: () => unwrap(userApi.service.systemMail.get(id)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const link = data && LINK.exec(data.text)?.[0]
  return (
    <>
      <Link
        to={projectPage(projectId, 'settings', { tab: 'system-mail' })}
        className="-ms-1 flex w-fit items-center gap-1 text-sm text-soft hover:text-ink"
      >
        <ChevronLeft className="size-4 shrink-0" aria-hidden />
        {T.back}
      </Link>
      {error && <Problem error={error} />}
      {!data && !error && <Loading />}
      {data && (
        <Card title={data.subject} flush>
          <div className="border-b border-line px-5 pb-4">
            <Facts>
              <Fact name={T.column.to}>{data.to}</Fact>
              <Fact name={T.column.date}>
                <Moment at={data.createdAt} />
              </Fact>
              {link && (
                <Fact name={T.link}>
                  <CopyValue text={link} label={T.copyLink} />
                  <a href={link} className="text-accent underline">
                    {T.openLink}
                  </a>
                </Fact>
              )}
            </Facts>
          </div>
          <div className="overflow-hidden rounded-b-card">
            <MailPreview html={data.html} title={T.frame} dark={isDark} trusted />
          </div>
        </Card>
      )}
    </>
  )
}
