/** How programs submit email over SMTP, and where email is received. */
import type { ReactNode } from 'react'
import { rememberedSecret, useConfig } from '../../api.ts'
import { CodeBlock, CopyValue } from '../../parts/copy.tsx'
import { Card, Loading } from '../../parts/page.tsx'
import { RichText } from '../../parts/rich-text.tsx'
import { useProject } from '../../project.ts'
import { smtpExamples } from '../overview/example-requests.ts'
import { ExampleTabs } from '../overview/example-tabs.tsx'
import { texts } from './texts.ts'

const START_WITH_SUBMISSION = 'SUBMISSION_SMTP_PORT=587 SMTP_HOST=0.0.0.0 SMTP_HOSTNAME=mail.example.com npm start'
const START_WITH_INBOUND = 'INBOUND_SMTP_PORT=25 SMTP_HOST=0.0.0.0 SMTP_HOSTNAME=mx.example.com npm start'

export function SmtpTab() {
  const config = useConfig()
  if (!config) return <Loading />
  return (
    <>
      <Submission smtp={config.smtp} />
      <Inbound inbound={config.inbound} />
    </>
  )
}

const settingNames = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, () => <code className="font-mono">{name}</code>]))

function Submission({
  smtp,
}: {
  smtp: { host: string; port: number; encryption: 'starttls' | 'implicit' } | undefined
}) {
  const project = useProject()
  if (!smtp) {
    return (
      <Card title={texts.smtp.title} lead={texts.smtp.lead}>
        <p className="mb-3 text-sm text-soft">
          <RichText text={texts.smtp.off} elements={settingNames(['SUBMISSION_SMTP_PORT'])} />
        </p>
        <CodeBlock text={START_WITH_SUBMISSION} label={texts.smtp.turnOn} />
      </Card>
    )
  }
  const examples = smtpExamples({ ...smtp, secret: rememberedSecret(project.id) })
  return (
    <Card title={texts.smtp.title} lead={texts.smtp.lead}>
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

function Inbound({ inbound }: { inbound: { host: string; port: number } | undefined }) {
  return (
    <Card title={texts.inbound.title} lead={texts.inbound.lead}>
      {inbound ? (
        <Facts>
          <Fact name={texts.inbound.record}>
            <CopyValue text={`10 ${inbound.host}`} label={texts.inbound.copyRecord} />
          </Fact>
          <Fact name={texts.smtp.port}>{inbound.port}</Fact>
        </Facts>
      ) : (
        <>
          <p className="mb-3 text-sm text-soft">
            <RichText text={texts.inbound.off} elements={settingNames(['INBOUND_SMTP_PORT'])} />
          </p>
          <CodeBlock text={START_WITH_INBOUND} label={texts.inbound.turnOn} />
        </>
      )}
    </Card>
  )
}

export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid gap-x-8 gap-y-3 text-sm sm:grid-cols-[12rem_minmax(0,1fr)] sm:gap-y-2.5">{children}</dl>
)

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="contents">
    <dt className="text-soft max-sm:-mb-2">{name}</dt>
    <dd className="figures min-w-0">{children}</dd>
  </div>
)
