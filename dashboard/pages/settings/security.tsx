/** The reputation of the project: bounce and complaint rates against their thresholds. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Address, projectPage } from '../../addresses.ts'
import { type Schemas, unwrap, userApi } from '../../data/api.ts'
import { useProject } from '../../data/project.ts'
import { formatPercent } from '../../figures/format.ts'
import { highRates, ratedPeriod } from '../../figures/reputation.ts'
import { Link } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Card, Loading } from '../../shell/page.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { texts } from './texts.ts'

type Security = Schemas['Security']

const TONES: Record<Security['status'], Tone> = { healthy: 'good', warning: 'warn', critical: 'bad' }
const RATE_DIGITS = 2
/** The end of the scale, as a multiple of the critical threshold. */
const SCALE_END = 1.25

const T = texts.security

export function SecurityTab() {
  const project = useProject()
  const { data, error, refetch } = useQuery({
    queryKey: [project.id, 'security'],
    queryFn: () => unwrap(userApi.projects.security(project.id)),
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  const { label, advice } = T.statuses[data.status]
  const { minimumEmails, bounceRate, complaintRate } = data.thresholds
  const period = ratedPeriod(data)
  return (
    <>
      <Card
        title={
          <span className="flex items-center gap-2.5">
            {T.status} <Badge tone={TONES[data.status]}>{label}</Badge>
          </span>
        }
        lead={data.isDisabled ? T.disabled(data.disabledReason) : period ? advice : T.minimum(minimumEmails)}
      >
        <div className="grid gap-x-10 gap-y-8 pt-1 xl:grid-cols-2">
          <Rate kind="bounces" security={data} thresholds={bounceRate}>
            <MoreLink to={projectPage(project.id, 'emails', { status: 'BOUNCED' })}>{T.bouncedEmails}</MoreLink>
          </Rate>
          <Rate kind="complaints" security={data} thresholds={complaintRate}>
            <MoreLink to={projectPage(project.id, 'emails', { status: 'COMPLAINED' })}>{T.complainedEmails}</MoreLink>
          </Rate>
        </div>
      </Card>
      <Card title={T.meaning}>
        <ul className="space-y-3 text-sm text-soft">
          <li>{T.period(minimumEmails)}</li>
          <li>
            <RichText text={T.atWarning} elements={{ level: levelName }} />
          </li>
          <li>
            <RichText
              text={T.atCritical}
              elements={{
                level: levelName,
                setting: () => <code className="font-mono text-[0.8125rem]">AUTO_DISABLE</code>,
              }}
            />
          </li>
          <li>
            <RichText
              text={T.suppressed}
              elements={{
                link: (content) => <MoreLink to={projectPage(project.id, 'suppressions')}>{content}</MoreLink>,
              }}
            />
          </li>
        </ul>
      </Card>
    </>
  )
}

const levelName = (content: string) => <span className="font-medium text-ink">{content}</span>

const MoreLink = ({ to, children }: { to: Address; children: ReactNode }) => (
  <Link to={to} className="text-accent underline">
    {children}
  </Link>
)

interface RateProps {
  kind: 'bounces' | 'complaints'
  security: Security
  thresholds: { warning: number; critical: number }
  /** A link to the emails. */
  children: ReactNode
}

const BARS = { warning: 'bg-warn', critical: 'bg-bad' }

/** The rate of the period that counts, on a scale with both thresholds, and the numbers of both periods. */
function Rate({ kind, security, thresholds, children }: RateProps) {
  const high = highRates(security).find((one) => one.kind === kind)
  const rateOf = ({ bounceRate, complaintRate }: Security['sevenDay']) =>
    kind === 'bounces' ? bounceRate : complaintRate
  const rate = rateOf(security[ratedPeriod(security) ?? 'allTime'])
  const position = (value: number) => `${Math.min(1, value / (thresholds.critical * SCALE_END)) * 100}%`
  return (
    <section aria-label={T[kind]} className="text-sm">
      <p className="font-medium">{T[kind]}</p>
      <p className={`figures mt-1 text-2xl font-semibold tracking-tight ${high ? 'text-bad' : ''}`}>
        {formatPercent(rate, RATE_DIGITS)}
      </p>
      <div aria-hidden className="relative mt-2.5 h-2 rounded-full bg-panel">
        <div
          className={`h-full min-w-1 rounded-full ${high ? BARS[high.level] : 'bg-good'}`}
          style={{ width: position(rate) }}
        />
        {(['warning', 'critical'] as const).map((level) => (
          <span
            key={level}
            className={`absolute -top-1 h-4 w-0.5 ${BARS[level]}`}
            style={{ left: position(thresholds[level]) }}
          />
        ))}
      </div>
      <div className="relative mt-2.5 h-5 text-[0.8125rem] text-soft">
        {(['warning', 'critical'] as const).map((level) => (
          <span
            key={level}
            className={`absolute whitespace-nowrap ${level === 'warning' ? '-translate-x-1/2' : '-translate-x-full sm:-translate-x-1/2'}`}
            style={{ left: position(thresholds[level]) }}
          >
            {T.from[level](formatPercent(thresholds[level], RATE_DIGITS))}
          </span>
        ))}
      </div>
      <dl className="mt-4 grid grid-cols-[auto_auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        {(['sevenDay', 'allTime'] as const).map((name) => (
          <div key={name} className="contents">
            <dt className="text-soft">{T.periods[name]}</dt>
            <dd className="figures text-end font-medium">{formatPercent(rateOf(security[name]), RATE_DIGITS)}</dd>
            <dd className="figures text-soft">{T.countOf(security[name][kind], security[name].sent)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3">{children}</p>
    </section>
  )
}
