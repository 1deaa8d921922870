/** How programs submit email over SMTP, and where email is received. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery, rememberedSecret, useConfig } from '../../../data/api.ts'
import { useProject } from '../../../data/project.ts'
import { Card, Loading } from '../../../shell/page.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { CodeBlock, CopyValue } from '../../../ui/copy.tsx'
import { smtpExamples } from '../../overview/example-requests.ts'
import { ExampleTabs } from '../../overview/example-tabs.tsx'
import { texts } from '../texts.ts'

export function SmtpTab() {
  const config = useConfig()
  if (!config) return <Loading />
  return (
    <>
      <Submission smtp={config.smtp} />
      <Inbound inbound={config.inbound} isAlone={config.smtp !== undefined} />
    </>
  )
}

const Title = ({ text, isOn }: { text: string; isOn: boolean }) => (
  <span className="flex items-center gap-2.5">
    {text} {isOn ? <Badge tone="good">{texts.smtp.on}</Badge> : <Badge>{texts.smtp.offBadge}</Badge>}
  </span>
)

type Settings = Partial<Record<keyof typeof texts.turnOn.settings, string>>

const BOTH = { SMTP_HOST: '0.0.0.0', SMTP_HOSTNAME: 'mail.example.com' }
const SUBMISSION = { SUBMISSION_SMTP_PORT: '587', ...BOTH }
const INBOUND = { INBOUND_SMTP_PORT: '25' }

/** Only operators can change the settings of the installation. */
function HowToTurnOn({ settings, note }: { settings: Settings; note?: string | undefined }) {
  const { data: me } = useQuery(meQuery)
  const { turnOn } = texts
  if (!me?.operator) return <p className="text-sm text-soft">{turnOn.askOperator}</p>
  const all = Object.entries(settings) as [keyof typeof turnOn.settings, string][]
  return (
    <>
      <p className="mb-3 text-sm">{turnOn.lead}</p>
      <CodeBlock text={all.map(([name, value]) => `${name}=${value}`).join('\n')} label={turnOn.example} />
      <dl className="mt-4 space-y-2 text-sm">
        {all.map(([name]) => (
          <div key={name} className="sm:flex sm:gap-4">
            <dt className="w-52 shrink-0 font-mono text-[0.8125rem]">{name}</dt>
            <dd className="text-soft">{turnOn.settings[name]}</dd>
          </div>
        ))}
      </dl>
      {note && <p className="mt-3 text-sm text-soft">{note}</p>}
    </>
  )
}

function Submission({
  smtp,
}: {
  smtp: { host: string; port: number; encryption: 'starttls' | 'implicit' } | undefined
}) {
  const project = useProject()
  if (!smtp)
    return (
      <Card title={<Title text={texts.smtp.title} isOn={false} />} lead={texts.smtp.lead}>
        <HowToTurnOn settings={SUBMISSION} />
      </Card>
    )
  const examples = smtpExamples({ ...smtp, secret: rememberedSecret(project.id) })
  return (
    <Card title={<Title text={texts.smtp.title} isOn />} lead={texts.smtp.leadOn}>
      <Facts>
        <Fact name={texts.smtp.host}>
          <CopyValue text={smtp.host} label={texts.smtp.copyHost} />
        </Fact>
        <Fact name={texts.smtp.port}>{smtp.port}</Fact>
        <Fact name={texts.smtp.encryption}>{texts.smtp.encryptions[smtp.encryption]}</Fact>
        <Fact name={texts.smtp.user}>
          <CopyValue text="posthorn" label={texts.smtp.copyUser} />
        </Fact>
        <Fact name={texts.smtp.password}>{texts.smtp.passwordIsKey(project.secretKeyHint)}</Fact>
      </Facts>
      <div className="mt-5">
        <ExampleTabs label={texts.smtp.examples} examples={examples} />
      </div>
    </Card>
  )
}

interface InboundProps {
  inbound: { host: string; port: number } | undefined
  /** The variables that both need aren't shown above. */
  isAlone: boolean
}

function Inbound({ inbound, isAlone }: InboundProps) {
  return (
    <Card title={<Title text={texts.inbound.title} isOn={inbound !== undefined} />} lead={texts.inbound.lead}>
      {inbound ? (
        <Facts>
          <Fact name={texts.inbound.record}>
            <CopyValue text={`10 ${inbound.host}`} label={texts.inbound.copyRecord} />
          </Fact>
          <Fact name={texts.smtp.port}>{inbound.port}</Fact>
        </Facts>
      ) : (
        <HowToTurnOn
          settings={isAlone ? { ...INBOUND, ...BOTH } : INBOUND}
          note={isAlone ? undefined : texts.turnOn.asAbove}
        />
      )}
    </Card>
  )
}

/** `compact` keeps name and value in one line on a phone, for short values. */
export const Facts = ({ children, compact }: { children: ReactNode; compact?: boolean }) => (
  <dl
    className={`grid gap-x-6 gap-y-2.5 text-sm sm:grid-cols-[11rem_minmax(0,1fr)] ${compact ? 'max-sm:grid-cols-[8.5rem_minmax(0,1fr)] max-sm:gap-x-4' : 'max-sm:[&_dt]:-mb-2'}`}
  >
    {children}
  </dl>
)

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="contents">
    <dt className="text-soft">{name}</dt>
    <dd className="figures min-w-0">{children}</dd>
  </div>
)
