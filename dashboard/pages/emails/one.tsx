/** One email: its content in every format, its timeline and its attachments. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { LayoutTemplate, Megaphone, RotateCcw, TriangleAlert, UserRound } from 'lucide-react'
import { useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { concernsEmail, useLiveQueries } from '../../data/live.ts'
import { useApi, useId, useSearchState } from '../../data/project.ts'
import { Moment } from '../../figures/moment.tsx'
import { Link, useNavigate } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Resource } from '../../lists/resource.tsx'
import { MailPreview } from '../../mail/mail-preview.tsx'
import { DarkSwitch, WidthSwitch } from '../../mail/width-switch.tsx'
import { Card, Loading, Page, WideActions } from '../../shell/page.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Badge, EmailStatus } from '../../ui/badge.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { PhoneActions } from '../../ui/more-actions.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useToast } from '../../ui/toast.tsx'
import { VersionLink } from '../versions/template-version.tsx'
import { Attachments } from './attachments.tsx'
import { ScheduledButtons } from './scheduled.tsx'
import { Simulate } from './simulate.tsx'
import { texts } from './texts.ts'
import { Timeline } from './timeline.tsx'

type Email = Schemas['EmailWithContent']

/** An email that can't be sent records no event, so its page is refetched while it waits. */
const WAITING = ['SCHEDULED', 'PENDING', 'SENDING']
/** An email that waits to be retried is not an event of the stream. */
const WAITING_REFETCH_MS = 3_000

export function EmailPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const [{ tab = 'preview' }, change] = useSearchState<'tab'>()
  const query = useQuery({
    queryKey: [projectId, 'emails', id],
    queryFn: () => unwrap(api.emails.get(id)),
    refetchInterval: ({ state }) => (WAITING.includes(state.data?.status ?? '') ? WAITING_REFETCH_MS : false),
  })
  useLiveQueries([[projectId, 'emails', id]], concernsEmail(id))
  const back = { to: projectPage(projectId, 'emails'), label: texts.title }
  return (
    <Resource query={query} title={texts.one.title} back={back}>
      {(email) => (
        <Page
          title={email.subject || sharedTexts.noSubject}
          back={back}
          actions={<EmailActions email={email} />}
          lead={<Addresses email={email} />}
        >
          {email.status === 'BOUNCED' && (
            <p className="mb-6 flex gap-3 rounded-card border border-line bg-warn-wash p-4 text-sm text-warn">
              <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
              <span>{texts.one.bounced}</span>
            </p>
          )}
          <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
            <section
              aria-label={texts.one.content}
              className="min-w-0 overflow-hidden rounded-card border border-line bg-card shadow-lift"
            >
              <Tabs
                label={texts.one.formats}
                open={tab}
                onOpen={(name) => change({ tab: name === 'preview' ? undefined : name }, { replace: true })}
                tabs={[
                  { name: 'preview', label: texts.one.preview, content: <PreviewTab email={email} /> },
                  {
                    name: 'html',
                    label: texts.one.html,
                    content: <TextTab text={email.html} label={texts.one.html} />,
                  },
                  {
                    name: 'text',
                    label: texts.one.text,
                    content: <TextTab text={email.text} label={texts.one.text} />,
                  },
                  { name: 'headers', label: texts.one.headers, content: <HeadersTab email={email} /> },
                  { name: 'raw', label: texts.one.raw, content: <RawTab id={id} /> },
                ]}
              />
            </section>
            <div className="space-y-6">
              <Timeline email={email} />
              <Skipped email={email} />
              <Tags email={email} />
              <Simulate email={email} />
              <Attachments email={email} />
            </div>
          </div>
        </Page>
      )}
    </Resource>
  )
}

function Addresses({ email }: { email: Email }) {
  const { projectId } = useApi()
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <EmailStatus status={email.status} />
      {email.test && <Badge>{texts.one.test}</Badge>}
      <span>
        <RichText
          text={texts.one.to}
          elements={{
            address: () =>
              email.contactId ? (
                <Link
                  to={projectPage(projectId, 'contacts/$id', { id: email.contactId })}
                  className="font-medium text-ink hover:underline"
                >
                  {email.to}
                </Link>
              ) : (
                <span className="font-medium text-ink">{email.to}</span>
              ),
          }}
        />
      </span>
      <span>{texts.one.from(email.fromName ? `${email.fromName} <${email.from}>` : email.from)}</span>
      {email.cc.length > 0 && <span>{texts.one.cc(namesOf(email.cc))}</span>}
      {email.bcc.length > 0 && <span>{texts.one.bcc(namesOf(email.bcc))}</span>}
      {email.status === 'SCHEDULED' ? (
        <span>
          <RichText text={texts.one.scheduledFor} elements={{ time: () => <Moment at={email.scheduledFor} /> }} />
        </span>
      ) : (
        <Moment at={email.createdAt} />
      )}
      {email.templateId && email.templateVersion && (
        <VersionLink templateId={email.templateId}>{texts.one.templateVersion(email.templateVersion)}</VersionLink>
      )}
    </span>
  )
}

const namesOf = (mailboxes: Email['cc']): string =>
  mailboxes.map(({ email, name }) => (name ? `${name} <${email}>` : email)).join(', ')

/** Each tag links to the emails that have it. */
function Tags({ email }: { email: Email }) {
  const { projectId } = useApi()
  const tags = Object.entries(email.tags)
  if (tags.length === 0) return null
  return (
    <Card title={texts.one.tagsTitle}>
      <ul className="flex flex-wrap gap-2">
        {tags.map(([name, value]) => (
          <li key={name} className="min-w-0">
            <LinkButton to={projectPage(projectId, 'emails', { tag: `${name}:${value}` })}>
              <span className="truncate">{sharedTexts.labeled(name, value)}</span>
            </LinkButton>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Skipped({ email }: { email: Email }) {
  if (email.skipped.length === 0) return null
  return (
    <Card title={texts.one.skippedTitle}>
      <ul className="space-y-2 text-sm">
        {email.skipped.map((each) => (
          <li key={each.email}>
            <p className="font-medium wrap-anywhere">{each.email}</p>
            <p className="text-soft">{each.reason}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const RESENDABLE = ['FAILED', 'CANCELLED']

function EmailActions({ email }: { email: Email }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const navigate = useNavigate()
  const resendEmail = async () => {
    const { error } = await api.emails.resend(email.id)
    if (error) return toast.failed(error)
    toast.done(texts.one.resent)
    void queries.invalidateQueries({ queryKey: [projectId, 'emails'] })
  }
  const links = [
    {
      icon: Megaphone,
      label: texts.one.viewCampaign,
      to: email.campaignId && projectPage(projectId, 'campaigns/$id', { id: email.campaignId }),
    },
    {
      icon: LayoutTemplate,
      label: texts.one.viewTemplate,
      to: email.templateId && projectPage(projectId, 'templates/$id', { id: email.templateId }),
    },
    {
      icon: UserRound,
      label: texts.one.viewContact,
      to: email.contactId && projectPage(projectId, 'contacts/$id', { id: email.contactId }),
    },
  ].flatMap(({ to, ...link }) => (to ? [{ ...link, to }] : []))
  return (
    <>
      <WideActions>
        {links.map(({ icon: Icon, label, to }) => (
          <LinkButton key={label} to={to}>
            <Icon aria-hidden /> {label}
          </LinkButton>
        ))}
      </WideActions>
      {email.status === 'SCHEDULED' && <ScheduledButtons email={email} />}
      {RESENDABLE.includes(email.status) && (
        <Button kind="primary" onClick={() => void resendEmail()}>
          <RotateCcw aria-hidden /> {texts.one.resend}
        </Button>
      )}
      {links.length > 0 && (
        <PhoneActions
          actions={links.map(({ icon, label, to }) => ({ icon, label, onSelect: () => void navigate(to) }))}
        />
      )}
    </>
  )
}

function PreviewTab({ email }: { email: Email }) {
  const [phone, setPhone] = useState(false)
  const [dark, setDark] = useState(false)
  if (email.html === '') return <TextTab text={email.text} label={texts.one.text} />
  if (email.html === null) return <p className="p-6 text-sm text-soft">{texts.one.bodyDeleted}</p>
  return (
    <>
      <div className="flex justify-end gap-1 border-b border-line px-3 py-1.5">
        <WidthSwitch phone={phone} onChange={setPhone} />
        <DarkSwitch dark={dark} onChange={setDark} />
      </div>
      <MailPreview html={email.html} title={texts.one.previewFrame} phone={phone} dark={dark} />
    </>
  )
}

const TextTab = ({ text, label }: { text: string | null; label: string }) => (
  <div className="p-4">
    {text === null ? (
      <p className="text-sm text-soft">{texts.one.bodyDeleted}</p>
    ) : (
      <CodeBlock text={text} label={label} tall />
    )}
  </div>
)

function HeadersTab({ email }: { email: Email }) {
  const { projectId, api } = useApi()
  const { data: raw, error } = useRaw(projectId, email.id, api)
  if (error)
    return (
      <div className="p-4">
        <Problem error={error} />
      </div>
    )
  if (raw === undefined) return <Loading />
  const rows = headersOf(raw).sort((a, b) => Number(isTechnical(a)) - Number(isTechnical(b)))
  return (
    <dl className="divide-y divide-line text-sm">
      {rows.map(([name, value], i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: header names may repeat, and rows don't move.
        <div key={i} className="grid gap-x-4 px-5 py-2.5 sm:grid-cols-[10rem_minmax(0,1fr)]">
          <dt className="text-soft">{name}</dt>
          <dd className="font-mono text-[0.8125rem] wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What people look for is above signatures and IDs. */
const isTechnical = ([name]: [string, string]): boolean => !READABLE.test(name)
const READABLE = /^(from|to|cc|bcc|reply-to|sender|subject|date)$/i

/** Folded lines belong to the previous header. */
function headersOf(raw: string): [string, string][] {
  const head = raw.split(/\r?\n\r?\n/, 1)[0] ?? ''
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  return lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
}

function RawTab({ id }: { id: string }) {
  const { projectId, api } = useApi()
  const { data, error } = useRaw(projectId, id, api)
  return (
    <div className="p-4">
      {error && <Problem error={error} />}
      {data !== undefined && <CodeBlock text={data} label={texts.one.rawMessage} tall />}
      {data === undefined && !error && <Loading />}
    </div>
  )
}

const useRaw = (projectId: string, id: string, api: ReturnType<typeof useApi>['api']) =>
  useQuery({
    queryKey: [projectId, 'emails', id, 'raw'],
    queryFn: async () => (await unwrap(api.emails.raw(id))) as unknown as string,
    staleTime: Number.POSITIVE_INFINITY,
  })
