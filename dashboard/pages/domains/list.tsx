/** Sender domains: the records to add, which of them are seen, and a check on demand. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AtSign, Plus, RefreshCw } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type Schemas, unwrap } from '../../api.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CopyValue } from '../../parts/copy.tsx'
import { Confirm, Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { Input, wrongAt } from '../../parts/field.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, OnPhone, Row, Table } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useManages } from '../../project.ts'
import { useAct } from '../../use-act.ts'

type Domain = Schemas['Domain']

const STATES: Record<Domain['status'], [Tone, string]> = {
  VERIFIED: ['good', 'Verified'],
  PENDING: ['warn', 'Waiting for DNS'],
  FAILED: ['bad', 'Not found'],
}

const PURPOSES: Record<string, string> = {
  ownership: 'Proves the domain is yours',
  dkim: 'Signs your mail',
  spf: 'Allows this service to send',
  dmarc: 'Tells others what to do with forgeries',
  'return-path': 'Takes bounces back',
}

export function DomainsPage() {
  const { projectId, api } = useApi()
  const [adding, setAdding] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'domains'],
    queryFn: () => unwrap(api.domains.list(projectId)),
    refetchInterval: 15_000,
  })
  const manages = useManages()
  const add = manages && (
    <Button kind="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden /> Add domain
    </Button>
  )
  return (
    <Page title="Domains" lead="You send from addresses of domains that are proved to be yours." actions={add}>
      <AddDomain open={adding} onClose={() => setAdding(false)} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.length === 0 && (
        <Card>
          <Empty icon={AtSign} title="No domain yet" actions={add}>
            Add the domain you send from. You get a few DNS records to add; they are checked every five minutes.
          </Empty>
        </Card>
      )}
      <div className="space-y-6">
        {data?.map((domain) => (
          <DomainCard key={domain.id} domain={domain} />
        ))}
      </div>
    </Page>
  )
}

function DomainCard({ domain }: { domain: Domain }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const [removing, setRemoving] = useState(false)
  const manages = useManages()
  const [tone, words] = STATES[domain.status]
  const reload = () => queries.invalidateQueries({ queryKey: [projectId, 'domains'] })
  const verify = async () => {
    setBusy(true)
    const { data, error } = await api.domains.verify(domain.id)
    setBusy(false)
    if (error) return toast.failed(error)
    toast.done(data.verified ? `${domain.domain} is verified.` : 'Not all records are there yet. DNS can take a while.')
    void reload()
  }
  return (
    <Card
      flush
      title={
        <span className="flex flex-wrap items-center gap-2.5">
          {domain.domain} <Badge tone={tone}>{words}</Badge>
        </span>
      }
      lead={
        domain.lastCheckedAt ? (
          <>
            Checked <Moment at={domain.lastCheckedAt} relative />
          </>
        ) : (
          'Not checked yet'
        )
      }
      actions={
        <span className="flex gap-2">
          <Button busy={busy} onClick={() => void verify()}>
            <RefreshCw aria-hidden /> Check now
          </Button>
          {manages && (
            <Button kind="danger" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          )}
        </span>
      }
    >
      <Confirm
        open={removing}
        onClose={() => setRemoving(false)}
        title={`Remove ${domain.domain}?`}
        name={domain.domain}
        act="Remove the domain"
        onAct={async () => {
          await unwrap(api.domains.delete(domain.id))
          toast.done('Domain removed.')
          void reload()
        }}
      >
        <p>
          Nothing can be sent from its addresses any more. Its signing key is thrown away; adding it again makes a new
          one.
        </p>
      </Confirm>
      <Findings id={domain.id} />
      <Table
        label={`DNS records of ${domain.domain}`}
        head={[{ wide: 'Type' }, 'Name', { wide: 'Value' }, { wide: 'State' }]}
      >
        {domain.records.map((record) => (
          <RecordRow key={`${record.type} ${record.name} ${record.value}`} record={record} />
        ))}
      </Table>
    </Card>
  )
}

function RecordRow({ record }: { record: Domain['records'][number] }) {
  const type = <span className="font-mono text-[0.8125rem]">{record.type}</span>
  const state = record.verified ? <Badge tone="good">Seen</Badge> : <Badge>Not seen</Badge>
  const value = (
    <>
      <CopyValue text={record.value} label={`Copy the value of the ${record.purpose} record`} />
      {record.priority !== undefined && <p className="text-xs text-soft">Priority {record.priority}</p>}
    </>
  )
  return (
    <Row>
      <Cell wide className="align-top">
        {type}
      </Cell>
      <Cell className="min-w-52 align-top">
        <CopyValue text={record.name} label={`Copy the name of the ${record.purpose} record`} />
        <p className="text-xs text-soft">{PURPOSES[record.purpose] ?? record.purpose}</p>
        <OnPhone>
          <div className="flex items-center gap-2 pb-2">
            {type} {state}
          </div>
          {value}
        </OnPhone>
      </Cell>
      <Cell wide className="max-w-96 min-w-64 align-top">
        {value}
      </Cell>
      <Cell wide className="align-top">
        {state}
      </Cell>
    </Row>
  )
}

const LEVELS: Record<string, Tone> = { ok: 'good', advice: 'warn', problem: 'bad', unknown: 'neutral' }

/** The doctor: what the DNS says about mail from this domain, in words. Healthy things are not worth a line. */
function Findings({ id }: { id: string }) {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'domains', id, 'findings'],
    queryFn: async () => (await unwrap(api.domains.get(id))).findings,
    staleTime: 60_000,
  })
  const worthTelling = data?.filter(({ level }) => level !== 'ok') ?? []
  if (worthTelling.length === 0) return null
  return (
    <ul className="space-y-2 border-t border-line px-5 py-3.5 text-sm">
      {worthTelling.map((finding) => (
        <li key={`${finding.topic} ${finding.message}`} className="flex items-start gap-2.5">
          <Badge tone={LEVELS[finding.level] ?? 'neutral'}>{finding.topic}</Badge>
          <span>{finding.message}</span>
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
  const { act, busy, error, problem } = useAct()
  const adds = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await act(api.domains.create({ domain, projectId })))) return
    toast.done('Domain added. Now add its records.')
    setDomain('')
    onClose()
    void queries.invalidateQueries({ queryKey: [projectId, 'domains'] })
  }
  return (
    <Dialog open={open} onClose={onClose} title="Add a domain" lead="The part behind the @ of your sender addresses.">
      <form onSubmit={adds} className="space-y-4">
        <Input
          label="Domain"
          required
          autoFocus
          placeholder="example.com"
          spellCheck={false}
          value={domain}
          wrong={wrongAt(error, 'domain')}
          onChange={(event) => setDomain(event.target.value)}
        />
        {problem && !wrongAt(error, 'domain') && <Problem error={problem} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={busy}>
            Add domain
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
