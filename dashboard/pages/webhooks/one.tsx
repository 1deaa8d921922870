/** One webhook endpoint: its state and backlog, its secret, tests, and the log with replays. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Pencil, Power, RefreshCw, RotateCcw, Send, Webhook } from 'lucide-react'
import { useMemo, useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { unwrap } from '../../data/api.ts'
import { useApi, useCanManage, useId, useSearchState } from '../../data/project.ts'
import { formatNumber } from '../../figures/format.ts'
import { Moment } from '../../figures/moment.tsx'
import { useNavigate } from '../../links.tsx'
import { ListEmpty } from '../../lists/empty-state.tsx'
import { List, ListFilter, PickerFilter } from '../../lists/list.tsx'
import { Resource } from '../../lists/resource.tsx'
import { Cell, MomentCell, Row } from '../../lists/table.tsx'
import { Card, Page } from '../../shell/page.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyValue } from '../../ui/copy.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { MoreActions } from '../../ui/more-actions.tsx'
import { useToast } from '../../ui/toast.tsx'
import { DateFilter } from '../emails/date-filter.tsx'
import { dateRangeOf } from '../emails/date-range.ts'
import { DeliveryDialog } from './delivery.tsx'
import { EndpointEditor } from './editor.tsx'
import { type Endpoint, type EndpointDetails, EndpointState } from './endpoint-state.tsx'
import { ReplayDialog } from './replay.tsx'
import { SendTestDialog } from './send-test.tsx'
import { texts } from './texts.ts'
import { useEventTypes } from './use-event-types.ts'

const TONES: Record<string, Tone> = { pending: 'warn', succeeded: 'good', failed: 'bad' }

export function WebhookPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const query = useQuery({
    queryKey: [projectId, 'webhooks', id],
    queryFn: () => unwrap(api.webhookEndpoints.get(id)),
    refetchInterval: 15_000,
  })
  const back = { to: projectPage(projectId, 'webhooks'), label: texts.title }
  return (
    <Resource query={query} title={texts.one.title} back={back}>
      {(endpoint) => (
        <Page
          title={endpoint.url}
          lead={
            <>
              {endpoint.description}
              <span className="mt-1.5 flex flex-wrap items-center gap-2 text-sm">
                <EndpointState endpoint={endpoint} />
                {endpoint.eventTypes.map((type) => (
                  <Badge key={type}>{type}</Badge>
                ))}
              </span>
            </>
          }
          back={back}
          actions={<Actions endpoint={endpoint} />}
        >
          <div className="space-y-6">
            <Failing endpoint={endpoint} />
            <Backlog backlog={endpoint.backlog} />
            <Log endpoint={endpoint} />
          </div>
        </Page>
      )}
    </Resource>
  )
}

function Failing({ endpoint }: { endpoint: Endpoint }) {
  const { disabledReason, failingSince } = endpoint
  if (disabledReason) return <Card title={texts.failing.disabledTitle}>{texts.failing.disabled[disabledReason]}</Card>
  if (!failingSince) return null
  return (
    <Card title={texts.failing.title}>
      <RichText text={texts.failing.since} elements={{ time: () => <Moment at={failingSince} /> }} />
    </Card>
  )
}

/** The service counts no further. */
const COUNTED_TO = 10_000

const formatCounted = (count: number) => `${formatNumber(count)}${count >= COUNTED_TO ? '+' : ''}`

function Backlog({ backlog: { waiting, dueSince, failed } }: Pick<EndpointDetails, 'backlog'>) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm" aria-label={texts.one.backlog}>
      <div>
        <dt className="text-soft">{texts.one.waiting}</dt>
        <dd className="font-medium">{formatCounted(waiting)}</dd>
      </div>
      <div>
        <dt className="text-soft">{texts.one.dueSince}</dt>
        <dd className="font-medium">{dueSince ? <Moment at={dueSince} relative /> : texts.one.nothingDue}</dd>
      </div>
      <div>
        <dt className="text-soft">{texts.one.failed}</dt>
        <dd className="font-medium">{formatCounted(failed)}</dd>
      </div>
    </dl>
  )
}

function Actions({ endpoint }: { endpoint: Endpoint }) {
  const { projectId, api } = useApi()
  const canManage = useCanManage()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const [open, setOpen] = useState<'edit' | 'rotate' | 'replay' | 'test'>()
  const [secret, setSecret] = useState<string>()
  const close = () => setOpen(undefined)
  const reload = () => queries.invalidateQueries({ queryKey: [projectId, 'webhooks'] })
  if (!canManage) return null

  const toggleEndpoint = async () => {
    const { error } = await api.webhookEndpoints.update(endpoint.id, { enabled: !endpoint.enabled })
    if (error) return toast.failed(error)
    toast.done(endpoint.enabled ? texts.one.disabled : texts.one.enabled)
    void reload()
  }
  const showSecret = async () => {
    const { data, error } = await api.webhookEndpoints.secret(endpoint.id)
    if (error) return toast.failed(error)
    setSecret(data.secret)
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button kind="primary" onClick={() => setOpen('test')}>
        <Send aria-hidden /> {texts.one.test}
      </Button>
      <MoreActions
        label={texts.one.more}
        actions={[
          { icon: Pencil, label: texts.one.edit, onSelect: () => setOpen('edit') },
          {
            icon: Power,
            label: endpoint.enabled ? texts.one.disable : texts.one.enable,
            onSelect: () => void toggleEndpoint(),
          },
          { icon: RotateCcw, label: texts.one.replay, onSelect: () => setOpen('replay') },
          { icon: KeyRound, label: texts.one.showSecret, onSelect: () => void showSecret() },
          { icon: RefreshCw, label: texts.one.rotateSecret, onSelect: () => setOpen('rotate') },
        ]}
        deleteTexts={{ title: texts.one.deleteTitle, action: texts.one.deleteAction }}
        name={new URL(endpoint.url).hostname}
        onDelete={async () => {
          await unwrap(api.webhookEndpoints.delete(endpoint.id))
          toast.done(texts.one.deleted)
          await navigate(projectPage(projectId, 'webhooks'))
          void reload()
        }}
      >
        {texts.one.deleteEffect}
      </MoreActions>
      {open === 'edit' && <EndpointEditor endpoint={endpoint} onClose={close} />}
      <Confirm
        open={open === 'rotate'}
        onClose={close}
        title={texts.one.rotateTitle}
        action={texts.one.rotateSecret}
        onConfirm={async () => setSecret((await unwrap(api.webhookEndpoints.rotateSecret(endpoint.id))).secret)}
      >
        <p>{texts.one.rotateEffect}</p>
      </Confirm>
      {open === 'replay' && <ReplayDialog endpoint={endpoint} onClose={close} />}
      {open === 'test' && <SendTestDialog endpoint={endpoint} onClose={close} />}
      <Dialog open={secret !== undefined} onClose={() => setSecret(undefined)} title={texts.one.secretTitle}>
        <p className="mb-3">{texts.one.secretLead}</p>
        <CopyValue text={secret ?? ''} label={texts.one.copySecret} />
      </Dialog>
    </div>
  )
}

function Log({ endpoint }: { endpoint: Endpoint }) {
  const { projectId, api } = useApi()
  const [{ status, type, time, from, to, cursor }] = useSearchState<
    'status' | 'type' | 'time' | 'from' | 'to' | 'cursor'
  >()
  const range = useMemo(() => dateRangeOf({ time, from, to }, new Date()), [time, from, to])
  const [shown, setShown] = useState<string>()
  const filter = { status: (status || undefined) as 'pending' | undefined, eventType: type || undefined, ...range }
  const query = { limit: 50, cursor, ...filter }
  const list = useQuery({
    queryKey: [projectId, 'webhooks', endpoint.id, 'deliveries', query],
    queryFn: () => unwrap(api.webhookEndpoints.deliveries(endpoint.id, query)),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  })
  const names = useEventTypes(endpoint)
  const { column, statuses } = texts.log
  const filtered = Boolean(status || type) || Object.keys(range).length > 0
  return (
    <>
      {shown && <DeliveryDialog endpointId={endpoint.id} id={shown} onClose={() => setShown(undefined)} />}
      <List
        list={list}
        label={texts.log.title}
        head={[
          column.event,
          column.status,
          { wide: column.attempts },
          { wide: column.response },
          { wide: column.created },
        ]}
        row={(delivery) => (
          <Row>
            <Cell>
              <span className="flex flex-wrap items-center gap-x-2">
                <button
                  type="button"
                  className="text-start font-medium hover:underline"
                  onClick={() => setShown(delivery.id)}
                >
                  {delivery.eventType}
                </button>
                {delivery.test && <Badge>{texts.log.test}</Badge>}
              </span>
            </Cell>
            <Cell>
              <Badge tone={TONES[delivery.status]!}>{statuses[delivery.status]}</Badge>
            </Cell>
            <Cell wide>{delivery.attempts}</Cell>
            <Cell wide>{delivery.lastAttempt ? (delivery.lastAttempt.status ?? texts.log.noResponse) : ''}</Cell>
            <MomentCell wide at={delivery.createdAt} />
          </Row>
        )}
        filtered={filtered}
        tools={
          <>
            <ListFilter label={texts.log.status} name="status" options={{ '': texts.log.anyStatus, ...statuses }} />
            <PickerFilter
              kind="event"
              label={texts.log.event}
              name="type"
              any={texts.log.anyEvent}
              choices={names.map((name) => ({ value: name, label: name }))}
            />
            <DateFilter />
          </>
        }
        empty={<ListEmpty icon={Webhook} filtered={filtered} texts={texts.log} actions={null} />}
      />
    </>
  )
}
