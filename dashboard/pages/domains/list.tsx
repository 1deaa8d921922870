/** The sender domains with their DNS records, and a check on demand. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AtSign, ChevronDown, KeyRound, Plus, RefreshCw, TrendingUp } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useAdding, useApi, useCanManage } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Moment } from '../../figures/moment.tsx'
import { Empty } from '../../lists/empty-state.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Cell, OnPhone, Row, Table } from '../../lists/table.tsx'
import { CapturedNotice, useIsCaptured } from '../../mail/captured-notice.tsx'
import { Card, Loading, Page } from '../../shell/page.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyValue } from '../../ui/copy.tsx'
import { Dialog, SubmitActions } from '../../ui/dialog.tsx'
import { fieldError, Input } from '../../ui/field.tsx'
import { MoreActions } from '../../ui/more-actions.tsx'
import { useToast } from '../../ui/toast.tsx'
import { canHaveEd25519, Ed25519Dialog, recordKind } from './ed25519.tsx'
import { domainFindingTexts } from './finding-texts.ts'
import { texts } from './texts.ts'
import { WarmUpDialog, WarmUpProgress } from './warm-up.tsx'

type Domain = Schemas['Domain']

const TONES: Record<Domain['status'], Tone> = { VERIFIED: 'good', PENDING: 'warn', FAILED: 'bad' }

const { column } = texts.records

export function DomainsPage() {
  const { projectId, api } = useApi()
  const [adding, setAdding] = useAdding()
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'domains'],
    queryFn: () => unwrap(api.domains.list(projectId)),
    refetchInterval: 15_000, // a check of DNS records is not an event of the stream
  })
  const canManage = useCanManage()
  const addButton = canManage && (
    <Button kind="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden /> {texts.add}
    </Button>
  )
  return (
    <Page title={texts.title} lead={texts.lead} actions={addButton}>
      <AddDomain open={adding && canManage} onClose={() => setAdding(false)} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.length === 0 && (
        <Card>
          <Empty icon={AtSign} title={texts.emptyTitle} actions={addButton}>
            {texts.empty}
          </Empty>
        </Card>
      )}
      {data && data.length > 0 && (
        <div className="mb-6 empty:hidden">
          <CapturedNotice>{texts.captured}</CapturedNotice>
        </div>
      )}
      <div className="space-y-6">
        {data?.map((domain) => (
          <DomainCard key={domain.id} domain={domain} />
        ))}
      </div>
    </Page>
  )
}

/** The records of a domain that needs nothing more are hidden at first. */
function DomainCard({ domain }: { domain: Domain }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const captured = useIsCaptured()
  const canManage = useCanManage()
  const found = domain.records.filter(({ verified }) => verified).length
  const isComplete = domain.status === 'VERIFIED' && (captured || found === domain.records.length)
  const [toggled, setToggled] = useState<boolean>()
  const [warmingUp, setWarmingUp] = useState(false)
  const [changingKey, setChangingKey] = useState(false)
  const showsRecords = toggled ?? !isComplete
  const reload = () => queries.invalidateQueries({ queryKey: [projectId, 'domains'] })
  const checkRecords = async () => {
    setBusy(true)
    const { data, error } = await api.domains.verify(domain.id)
    setBusy(false)
    if (error) return toast.failed(error)
    toast.done(data.verified ? texts.verified(domain.domain) : texts.notVerified)
    void reload()
  }
  const keyAction = {
    icon: KeyRound,
    label: domain.ed25519 ? texts.ed25519.remove : texts.ed25519.add,
    onSelect: () => setChangingKey(true),
  }
  return (
    <Card
      flush
      title={
        <span className="flex flex-wrap items-center gap-2.5">
          {domain.domain} <Badge tone={TONES[domain.status]}>{texts.statuses[domain.status]}</Badge>
        </span>
      }
      lead={
        captured ? (
          texts.records.notChecked(domain.records.length, domain.status === 'VERIFIED')
        ) : (
          <CheckSummary domain={domain} found={found} />
        )
      }
      actions={
        <div className="flex flex-wrap items-center gap-2 max-sm:-ms-3 max-sm:gap-1">
          <Button kind="quiet" aria-expanded={showsRecords} onClick={() => setToggled(!showsRecords)}>
            {showsRecords ? texts.records.hide : texts.records.show}
            <ChevronDown aria-hidden className={`transition-transform ${showsRecords ? 'rotate-180' : ''}`} />
          </Button>
          <Button busy={busy} onClick={() => void checkRecords()}>
            <RefreshCw className="max-sm:hidden" aria-hidden /> {texts.check}
          </Button>
          {canManage && (
            <MoreActions
              label={texts.actionsOf(domain.domain)}
              actions={[
                {
                  icon: TrendingUp,
                  label: domain.warmUp ? texts.warmUp.change : texts.warmUp.set,
                  onSelect: () => setWarmingUp(true),
                },
                ...(canHaveEd25519(domain) ? [keyAction] : []),
              ]}
              deleteTexts={{ entry: texts.remove, title: texts.removeTitle(domain.domain), action: texts.remove }}
              name={domain.domain}
              onDelete={async () => {
                await unwrap(api.domains.delete(domain.id))
                toast.done(texts.removed)
                void reload()
              }}
            >
              {texts.removeEffect}
            </MoreActions>
          )}
        </div>
      }
    >
      <WarmUpProgress domain={domain} onChange={canManage ? () => setWarmingUp(true) : undefined} />
      <WarmUpDialog domain={domain} open={warmingUp} onClose={() => setWarmingUp(false)} />
      <Ed25519Dialog
        domain={domain}
        open={changingKey}
        onClose={() => setChangingKey(false)}
        onAdded={() => setToggled(true)}
      />
      {!captured && <Findings domain={domain} />}
      {showsRecords && (
        <Table
          label={texts.records.label(domain.domain)}
          head={[{ wide: column.type }, NAME, { wide: column.value }, ...(captured ? [] : [STATUS])]}
        >
          {domain.records.map((record) => (
            <RecordRow key={`${record.type} ${record.name} ${record.value}`} record={record} checked={!captured} />
          ))}
        </Table>
      )}
    </Card>
  )
}

const STATUS = { wide: column.status }
/** On a phone, its column contains everything about the record. */
const NAME = (
  <>
    <span className="max-sm:hidden">{column.name}</span>
    <span className="sm:hidden">{column.record}</span>
  </>
)

const CheckSummary = ({ domain: { records, lastCheckedAt }, found }: { domain: Domain; found: number }) =>
  lastCheckedAt ? (
    <RichText
      text={texts.lastChecked(found, records.length)}
      elements={{ time: () => <Moment at={lastCheckedAt} relative /> }}
    />
  ) : (
    texts.neverChecked
  )

/** The widths are the same in every card, so that the columns of different domains line up. */
function RecordRow({ record, checked }: { record: Domain['records'][number]; checked: boolean }) {
  const kind = recordKind(record)
  const type = <span className="font-mono text-[0.8125rem]">{record.type}</span>
  const status = record.verified ? (
    <Badge tone="good">{texts.records.found}</Badge>
  ) : (
    <Badge tone="warn">{texts.records.notFound}</Badge>
  )
  const value = (
    <>
      <CopyValue clamped text={record.value} label={texts.records.copyValue(kind)} />
      {record.priority !== undefined && <p className="text-xs text-soft">{texts.records.priority(record.priority)}</p>}
    </>
  )
  return (
    <Row>
      <Cell wide className="w-16 align-top">
        {type}
      </Cell>
      <Cell className="min-w-52 align-top sm:w-5/12">
        <div className="mb-1.5 flex items-center gap-2 sm:hidden">
          {type} {checked && status}
        </div>
        <CopyValue text={record.name} label={texts.records.copyName(kind)} />
        <p className="text-xs text-soft">{texts.records.purposes[kind] ?? kind}</p>
        <OnPhone>
          <div className="pt-1 text-ink">{value}</div>
        </OnPhone>
      </Cell>
      <Cell wide className="min-w-64 align-top sm:w-7/12">
        {value}
      </Cell>
      {checked && (
        <Cell wide className="w-28 align-top">
          {status}
        </Cell>
      )}
    </Row>
  )
}

const LEVELS: Record<string, Tone> = { ok: 'good', advice: 'warn', problem: 'bad', unknown: 'neutral' }

/** The problems and advice that the DNS check found. */
function Findings({ domain: { id, lastCheckedAt } }: { domain: Domain }) {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    // A new check of the records also renews these, so that the two agree.
    queryKey: [projectId, 'domains', id, 'findings', lastCheckedAt],
    queryFn: async () => (await unwrap(api.domains.get(id))).findings,
    staleTime: 60_000,
  })
  const issues = data?.filter(({ level }) => level !== 'ok') ?? []
  if (issues.length === 0) return null
  return (
    <ul className="space-y-2 border-t border-line px-5 py-3.5 text-sm">
      {issues.map((finding) => (
        <li key={`${finding.topic} ${finding.message}`} className="flex items-start gap-2.5">
          <Badge tone={LEVELS[finding.level] ?? 'neutral'}>{finding.topic}</Badge>
          <span>{domainFindingTexts[finding.code]?.(finding.values) ?? finding.message}</span>
        </li>
      ))}
    </ul>
  )
}

function AddDomain({ open, onClose }: { open: boolean; onClose(): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [domain, setDomain] = useState('')
  const { run, busy, error, problem } = useAction()
  const addDomain = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await run(api.domains.create({ domain, projectId })))) return
    toast.done(texts.addDialog.added)
    setDomain('')
    onClose()
    void queries.invalidateQueries({ queryKey: [projectId, 'domains'] })
  }
  return (
    <Dialog open={open} onClose={onClose} title={texts.addDialog.title} lead={texts.addDialog.lead}>
      <form onSubmit={addDomain} className="space-y-4">
        <Input
          label={texts.addDialog.domain}
          required
          autoFocus
          placeholder={texts.addDialog.placeholder}
          spellCheck={false}
          value={domain}
          error={fieldError(error, 'domain')}
          onChange={(event) => setDomain(event.target.value)}
        />
        {problem && <Problem error={problem} shown={['domain']} />}
        <SubmitActions busy={busy} onCancel={onClose}>
          {texts.add}
        </SubmitActions>
      </form>
    </Dialog>
  )
}
