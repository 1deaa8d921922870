/** What the checks of an email found, with how to fix it. The server runs them on the current draft. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronRight, CircleCheck, Info, OctagonAlert, TriangleAlert } from 'lucide-react'
import { memo, useEffect, useState } from 'react'
import { type Schemas, unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { useDebounced } from '../data/use-debounced.ts'
import { Problem } from '../lists/problem.tsx'
import { Badge } from '../ui/badge.tsx'
import { inWords } from './finding-texts.ts'
import { checkTexts } from './texts.ts'

type Checks = Schemas['Checks']
type Finding = Checks['findings'][number]
type Draft = Parameters<ReturnType<typeof useApi>['api']['templates']['check']>[0]

const DEBOUNCE_MS = 800

interface ContentChecksProps {
  /** The draft has one of body, document and mjml. */
  draft: Draft
  /** A new draft without a subject isn't checked: it would only be reported as incomplete. */
  isWritten: boolean
  /** Selects the block of a finding, if the editor can. */
  onSelectBlock?(id: string): void
}

export function ContentChecks({ draft, isWritten, onSelectBlock }: ContentChecksProps) {
  const { projectId, api } = useApi()
  const content = useDebounced(JSON.stringify(draft), DEBOUNCE_MS)
  const query = useQuery({
    queryKey: [projectId, 'checks', content],
    queryFn: () => unwrap(api.templates.check(JSON.parse(content) as Draft)),
    enabled: isWritten,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    retry: false,
  })
  return (
    <CheckPanel
      checks={isWritten ? query.data : undefined}
      error={isWritten ? query.error : null}
      waiting={isWritten ? checkTexts.running : checkTexts.notWritten}
      onSelectBlock={onSelectBlock}
    />
  )
}

/** The checks of a saved campaign with its audience. */
export function CampaignChecks({ id }: { id: string }) {
  const { projectId, api } = useApi()
  const query = useQuery({
    queryKey: [projectId, 'checks', 'campaign', id],
    queryFn: () => unwrap(api.campaigns.checks(id)),
    retry: false,
  })
  return <CheckPanel isBrief checks={query.data} error={query.error} />
}

interface CheckPanelProps {
  checks: Checks | undefined
  error: unknown
  /** Shown while there are no results. */
  waiting?: string
  /** Lists only what was found. */
  isBrief?: boolean
  onSelectBlock?: ((id: string) => void) | undefined
}

const CheckPanel = memo(function CheckPanel({
  checks,
  error,
  waiting = checkTexts.running,
  isBrief = false,
  onSelectBlock,
}: CheckPanelProps) {
  const findings = checks?.findings ?? []
  const hasFindings = findings.length > 0
  const [isOpen, setOpen] = useState(false)
  // Stays open when the last finding is fixed, so that the page doesn't jump.
  useEffect(() => {
    if (hasFindings) setOpen(true)
  }, [hasFindings])
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group overflow-hidden rounded-card border border-line bg-card shadow-lift"
    >
      <summary className="flex cursor-pointer flex-wrap items-center gap-2 px-4 py-3 text-sm font-semibold hover:bg-panel/60">
        <ChevronRight
          className="size-4 shrink-0 text-soft transition-transform group-open:rotate-90 motion-reduce:transition-none"
          aria-hidden
        />
        {checkTexts.title}
        <span aria-live="polite" className="flex flex-wrap gap-1.5">
          {error ? <Badge tone="bad">{checkTexts.failed}</Badge> : checks && <Summary findings={findings} />}
        </span>
      </summary>
      <div className="border-t border-line px-4 py-3">
        {error ? (
          <Problem error={error} />
        ) : !checks ? (
          <p className="text-sm text-soft">{waiting}</p>
        ) : (
          <>
            {isBrief && findings.length === 0 && <p className="text-sm text-soft">{checkTexts.allPassed}</p>}
            {findings.length > 0 && (
              <ul className={`space-y-3 ${isBrief ? '' : 'mb-4'}`}>
                {findings.map((finding) => (
                  <FindingItem key={keyOf(finding)} finding={finding} onSelectBlock={onSelectBlock} />
                ))}
              </ul>
            )}
            {!isBrief && <PassedChecks findings={findings} />}
            {checks.audience?.isSample && (
              <p className="mt-3 text-xs text-soft">{checkTexts.sample(checks.audience.contacts)}</p>
            )}
          </>
        )}
      </div>
    </details>
  )
})

type Area = keyof typeof checkTexts.areas

/** The starts of the codes of each area. */
const AREAS: Record<Area, string[]> = {
  subject: ['subject'],
  preheader: ['preheader'],
  links: ['link'],
  images: ['image'],
  wording: ['body', 'text', 'spam'],
  variables: ['variable'],
  unsubscribe: ['unsubscribe'],
  address: ['address'],
  contrast: ['contrast'],
  clients: ['client'],
  size: ['size'],
}

/** Fields whose findings, of whatever kind, are about their own area. */
const IN_HEADER = new Set<string>(['subject', 'preheader'])

/** The areas without findings; none of them if the email wasn't checked to the end. */
function PassedChecks({ findings }: { findings: Finding[] }) {
  const found = new Set(
    findings.flatMap(({ code, field }) => [code.split('.')[0]!, ...(IN_HEADER.has(field) ? [field] : [])]),
  )
  if (found.has('check')) return null
  const passed = (Object.keys(AREAS) as Area[]).filter((area) => !AREAS[area].some((start) => found.has(start)))
  if (passed.length === 0) return null
  return (
    <ul
      aria-label={checkTexts.passed}
      className="grid grid-cols-[repeat(auto-fill,minmax(12.5rem,1fr))] gap-x-6 gap-y-2 text-sm"
    >
      {passed.map((area) => (
        <li key={area} className="flex items-center gap-2.5">
          <CircleCheck className="size-4 shrink-0 text-good" aria-hidden /> {checkTexts.areas[area]}
        </li>
      ))}
    </ul>
  )
}

const keyOf = ({ code, message, line, blockId, variant }: Finding) => `${code} ${message} ${line} ${blockId} ${variant}`

const TONES = { error: 'bad', warning: 'warn', info: 'info' } as const

function Summary({ findings }: { findings: Finding[] }) {
  if (findings.length === 0) return <Badge tone="good">{checkTexts.none}</Badge>
  return (['error', 'warning', 'info'] as const).map((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return (
      count > 0 && (
        <Badge key={severity} tone={TONES[severity]}>
          {checkTexts.counts[severity](count)}
        </Badge>
      )
    )
  })
}

/** Whether the message already says where the problem is. */
const namedIn = (message: string, field: string) => message.toLowerCase().includes(field)

const ICONS = { error: OctagonAlert, warning: TriangleAlert, info: Info }
const COLORS = { error: 'text-bad', warning: 'text-warn', info: 'text-info' }

function FindingItem({ finding, onSelectBlock }: { finding: Finding } & Pick<CheckPanelProps, 'onSelectBlock'>) {
  const { severity, field, line, blockId, variant } = finding
  const { message, fix } = inWords(finding)
  const Icon = ICONS[severity] ?? CircleCheck
  return (
    <li className="flex gap-2.5 text-sm">
      <Icon className={`mt-0.5 size-4 shrink-0 ${COLORS[severity]}`} aria-hidden />
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">
          <span className="sr-only">{checkTexts.severities[severity]}: </span>
          {variant !== undefined && checkTexts.variant(variant)}
          {message}
        </p>
        <p className="text-soft">
          {fix}{' '}
          {blockId && onSelectBlock && variant === undefined ? (
            <button type="button" className="text-accent underline" onClick={() => onSelectBlock(blockId)}>
              {checkTexts.showBlock}
            </button>
          ) : (
            <span>{checkTexts.where(namedIn(finding.message, field) ? undefined : field, line)}</span>
          )}
        </p>
      </div>
    </li>
  )
}
