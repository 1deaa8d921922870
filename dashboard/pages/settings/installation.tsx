/** The installation as its operator sees it: version, queue, database, retention and mail transport. */
import { useQuery } from '@tanstack/react-query'
import { type Schemas, SERVICE_URL, unwrap, userApi } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { formatDuration, formatMonth, formatNumber, formatUnit } from '../../figures/format.ts'
import { Moment } from '../../figures/moment.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Cell, Row, Table } from '../../lists/table.tsx'
import { CapturedNotice } from '../../mail/captured-notice.tsx'
import { Card, Loading } from '../../shell/page.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toast.tsx'
import { Fact, Facts } from './developers/smtp.tsx'
import { texts } from './texts.ts'

const T = texts.installation
/** The page polls, because the activity stream covers only one project. */
const REFRESH_MS = 10_000

export function InstallationTab() {
  const { data, error, refetch } = useQuery({
    queryKey: ['installation'],
    queryFn: () => unwrap(userApi.service.installation()),
    refetchInterval: REFRESH_MS,
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <>
      <CapturedNotice>
        <RichText
          text={T.captured}
          elements={{ setting: () => <code className="font-mono text-[0.8125rem]">MAIL_URL</code> }}
        />
      </CapturedNotice>
      <Health state={data} refresh={() => void refetch()} />
      <Card title={T.mail}>
        <Facts compact>
          <Fact name={T.transport}>{T.transports[data.mail.transport] ?? data.mail.transport}</Fact>
          <Fact name={T.systemFrom}>{data.mail.systemFrom}</Fact>
          <Fact name={T.rate}>
            {data.mail.sendRatePerSecond === null ? T.noRate : T.perSecond(data.mail.sendRatePerSecond)}
          </Fact>
          {data.mail.quota && (
            <Fact name={T.quota}>{T.quotaLeft(data.mail.quota.perSecond, data.mail.quota.leftToday)}</Fact>
          )}
        </Facts>
      </Card>
      <Card title={T.queue} lead={T.queueLead}>
        <Facts compact>
          <Fact name={T.ready}>{data.queue ? formatNumber(data.queue.ready) : T.unknown}</Fact>
          <Fact name={T.oldest}>
            {data.queue && data.queue.ready > 0 ? formatDuration(data.queue.oldestReadySeconds) : T.none}
          </Fact>
          <Fact name={T.scheduled}>{data.queue ? formatNumber(data.queue.scheduled) : T.unknown}</Fact>
          <Fact name={T.failed}>{data.queue ? formatNumber(data.queue.failed) : T.unknown}</Fact>
        </Facts>
      </Card>
      <Card title={T.database}>
        <Facts compact>
          <Fact name={T.server}>
            {T.postgres(data.database.version)} {data.database.embedded && <Badge>{T.embedded}</Badge>}
          </Fact>
          <Fact name={T.size}>{T.megabytes(data.database.bytes)}</Fact>
          <Fact name={T.connections}>{formatNumber(data.database.connections)}</Fact>
          <Fact name={T.contents}>{T.accountsAndProjects(data.database.accounts, data.database.projects)}</Fact>
        </Facts>
      </Card>
      <Retention retention={data.retention} />
    </>
  )
}

const WARNING = 'mb-4 rounded-part bg-warn-wash px-4 py-3 text-sm text-warn'
const NOTE = 'mb-4 rounded-part bg-panel px-4 py-3 text-sm'

function Retention({ retention }: { retention: Schemas['Installation']['retention'] }) {
  const { rules, archive, waiting, unsent, lastArchive } = retention
  const R = T.retention
  return (
    <Card title={R.title} lead={R.lead}>
      {waiting.map(({ name, since, error }) => (
        <p key={name} {...(error === null ? { className: NOTE } : { role: 'alert', className: WARNING })}>
          <RichText
            text={error === null ? R.waiting(name) : R.waitingBecause(name, error)}
            elements={{ since: () => <Moment at={since} /> }}
          />
        </p>
      ))}
      {unsent && (
        <p className={NOTE}>
          <RichText text={R.unsent(unsent.emails)} elements={{ since: () => <Moment at={unsent.since} /> }} />
        </p>
      )}
      <div className="-mx-5 mb-5 border-b border-line">
        <Table label={R.title} head={[R.column.data, R.column.deletedAfter, R.column.oldestMonth]}>
          {rules.map(({ data, days, oldestMonth }) => (
            <Row key={data}>
              <Cell className="w-full">{R.data[data]}</Cell>
              <Cell className="whitespace-nowrap">{days === null ? R.never : formatUnit(days, 'day')}</Cell>
              <Cell className="whitespace-nowrap">{oldestMonth === null ? T.none : formatMonth(oldestMonth)}</Cell>
            </Row>
          ))}
        </Table>
      </div>
      <Facts compact>
        <Fact name={R.archive}>{archive === null ? R.noArchive : R.archives[archive]}</Fact>
        <Fact name={R.lastArchive}>
          {lastArchive ? (
            <RichText
              text={R.lastArchiveRows(lastArchive.name, lastArchive.rows)}
              elements={{ at: () => <Moment at={lastArchive.at} /> }}
            />
          ) : (
            T.none
          )}
        </Fact>
      </Facts>
    </Card>
  )
}

/** Why no email is sent, and a button that lets waiting emails be sent now. */
function Pause({ pause, refresh }: { pause: NonNullable<Schemas['Installation']['mail']['pause']>; refresh(): void }) {
  const toast = useToast()
  const { run, busy, problem } = useAction()
  const resumeSending = async () => {
    if (!(await run(userApi.service.resumeTransport()))) return
    toast.done(T.resumed)
    refresh()
  }
  return (
    <div role="alert" className="mb-4 rounded-part bg-bad-wash px-4 py-3 text-sm text-bad">
      <p className="mb-3">
        <RichText
          text={pause.credentialsRefused ? T.credentialsRefused(pause.reason) : T.paused(pause.reason)}
          elements={{
            since: () => <Moment at={pause.since} />,
            until: () => <Moment at={pause.until} />,
          }}
        />
      </p>
      {problem && <Problem error={problem} />}
      <Button busy={busy} onClick={() => void resumeSending()}>
        {T.resume}
      </Button>
    </div>
  )
}

function Health({ state, refresh }: { state: Schemas['Installation']; refresh(): void }) {
  const { degraded, warnings, mail } = state
  const healthy = degraded.length === 0 && warnings.length === 0 && mail.pause === null
  return (
    <Card
      title={
        <span className="flex items-center gap-2.5">
          {T.service} {healthy ? <Badge tone="good">{T.healthy}</Badge> : <Badge tone="bad">{T.needsAttention}</Badge>}
        </span>
      }
    >
      {mail.pause && <Pause pause={mail.pause} refresh={refresh} />}
      {[...degraded, ...warnings].map((note) => (
        <p key={note} role="alert" className={WARNING}>
          {note}
        </p>
      ))}
      <Facts compact>
        <Fact name={T.version}>{T.versionOnNode(state.version, state.node)}</Fact>
        <Fact name={T.running}>{formatDuration(state.uptimeSeconds)}</Fact>
        <Fact name={T.workers}>{T.workersRunning(state.runningWorkers)}</Fact>
        <Fact name={T.address}>{state.baseUrl}</Fact>
        <Fact name={T.signUp}>{state.signUp ? T.signUpOpen : T.signUpClosed}</Fact>
        <Fact name={T.metrics}>
          <a href={`${SERVICE_URL}/metrics`} className="text-accent underline">
            /metrics
          </a>
        </Fact>
      </Facts>
    </Card>
  )
}
