/** Addresses that never receive marketing email. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, Download, Plus, Upload } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { downloadsIn, type Schemas, unwrap } from '../../data/api.ts'
import { useAdding, useApi, useSearchState } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Moment } from '../../figures/moment.tsx'
import { ListEmpty } from '../../lists/empty-state.tsx'
import { List, ListFilter, ListSearch } from '../../lists/list.tsx'
import { Problem } from '../../lists/problem.tsx'
import { saveFile } from '../../lists/save-file.ts'
import { SelectionBar, useSelection } from '../../lists/selection.tsx'
import { ACTIONS, Cell, MomentCell, NameCell, Row } from '../../lists/table.tsx'
import { useTopics } from '../../mail/topics.tsx'
import { Picker } from '../../pickers/picker.tsx'
import { Page, WideActions } from '../../shell/page.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, RemoveButton } from '../../ui/button.tsx'
import { Confirm, Dialog, SubmitActions } from '../../ui/dialog.tsx'
import { Checkbox, fieldError, Input } from '../../ui/field.tsx'
import { PhoneActions } from '../../ui/more-actions.tsx'
import { useToast } from '../../ui/toast.tsx'
import { ImportDialog } from './import.tsx'
import { texts } from './texts.ts'

type Api = ReturnType<typeof useApi>['api']

const Reason = ({ reason }: { reason: keyof typeof texts.reasons }) => (
  <Badge tone={reason === 'MANUAL' ? 'neutral' : 'bad'}>{texts.reasons[reason]}</Badge>
)

export function SuppressionsPage() {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [{ search = '', reason = '', cursor }] = useSearchState<'search' | 'reason' | 'cursor'>()
  const [adding, setAdding] = useAdding()
  const [importing, setImporting] = useState(false)
  const [removing, setRemoving] = useState<Schemas['Suppression']>()
  const query = {
    limit: 50,
    cursor,
    search: search || undefined,
    reason: reason in texts.reasons ? (reason as keyof typeof texts.reasons) : undefined,
  }
  const list = useQuery({
    queryKey: [projectId, 'suppressions', query],
    queryFn: () => unwrap(api.suppressions.list(query)),
    placeholderData: keepPreviousData,
  })
  const { search: searched, reason: ofReason } = query
  const { selected, select, all, selectAll } = useSelection<Filter>(JSON.stringify(query))
  const total = useTotal(list.data)
  const isPrevious = list.isPlaceholderData
  const shown = isPrevious ? [] : (list.data?.data ?? [])
  const isPageSelected = all !== undefined || (shown.length > 0 && shown.every(({ id }) => selected.has(id)))
  const toggle = (id: string) => {
    const before = all ? new Set(shown.map((one) => one.id)) : selected
    select(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id])
  }
  const filtered = search !== '' || query.reason !== undefined
  const reload = () => queries.invalidateQueries({ queryKey: [projectId, 'suppressions'] })
  const addButton = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden /> {texts.add}
    </Button>
  )
  const exportSuppressions = async () => {
    const { data, error } = await downloadsIn(projectId).request('GET /suppressions/export', { as: 'blob' })
    if (error) return toast.failed(error)
    saveFile('suppressions.csv', data as unknown as Blob)
  }
  const actions = (
    <>
      <WideActions>
        <Button onClick={() => void exportSuppressions()}>
          <Download aria-hidden /> {texts.export}
        </Button>
        <Button onClick={() => setImporting(true)}>
          <Upload aria-hidden /> {texts.import}
        </Button>
      </WideActions>
      {addButton}
      <PhoneActions
        actions={[
          { icon: Download, label: texts.export, onSelect: () => void exportSuppressions() },
          { icon: Upload, label: texts.import, onSelect: () => setImporting(true) },
        ]}
      />
    </>
  )
  return (
    <Page title={texts.title} lead={texts.lead} actions={actions}>
      {adding && <SuppressDialog onClose={() => setAdding(false)} onDone={() => void reload()} />}
      {importing && <ImportDialog onClose={() => setImporting(false)} onDone={() => void reload()} />}
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={texts.removeTitle}
        action={texts.removeAction}
        onConfirm={async () => {
          await unwrap(api.suppressions.delete(removing!.email, { topic: removing!.topic ?? undefined }))
          toast.done(texts.removed)
          void reload()
        }}
      >
        <p>
          {removing?.topic != null
            ? texts.removeTopicEffect(removing.email, removing.topic)
            : texts.removeEffect(removing?.email ?? '')}
        </p>
      </Confirm>
      <List
        list={list}
        label={texts.title}
        head={[
          <Checkbox
            key="select"
            label={texts.bulk.selectPage}
            hideLabel
            checked={isPageSelected}
            disabled={isPrevious}
            onChange={() => select(isPageSelected ? [] : shown.map(({ id }) => id))}
          />,
          texts.column.email,
          { wide: texts.column.reason },
          { wide: texts.column.topic },
          { wide: texts.column.added },
          ACTIONS,
        ]}
        row={(one) => (
          <Row selected={all !== undefined || selected.has(one.id)}>
            <Cell className="w-10">
              <Checkbox
                label={texts.bulk.select(one.email)}
                hideLabel
                checked={all !== undefined || selected.has(one.id)}
                disabled={isPrevious}
                onChange={() => toggle(one.id)}
              />
            </Cell>
            <NameCell
              to={projectPage(projectId, 'contacts', { search: one.email })}
              onPhone={
                <span className="flex flex-wrap items-center gap-x-2">
                  <Reason reason={one.reason} /> {one.topic} <Moment at={one.createdAt} relative />
                </span>
              }
            >
              {one.email}
            </NameCell>
            <Cell wide>
              <Reason reason={one.reason} />
            </Cell>
            <Cell wide className="lg:whitespace-nowrap">
              {one.topic ?? <span className="text-soft">{texts.allTopics}</span>}
            </Cell>
            <MomentCell wide at={one.createdAt} />
            <Cell>
              <RemoveButton label={texts.removeLabel(one.email)} onClick={() => setRemoving(one)} />
            </Cell>
          </Row>
        )}
        filtered={filtered}
        tools={
          <>
            <ListSearch label={texts.search} />
            <ListFilter label={texts.reason} name="reason" options={{ '': texts.anyReason, ...texts.reasons }} />
          </>
        }
        empty={<ListEmpty icon={Ban} filtered={filtered} texts={texts} actions={addButton} />}
      />
      <BulkRemoval
        chosen={all ? { filter: all.condition } : { ids: [...selected] }}
        count={all ? all.count : selected.size}
        total={isPageSelected && !all && total > selected.size ? total : undefined}
        onSelectAll={() => selectAll({ condition: { search: searched, reason: ofReason }, count: total })}
        onClear={() => select([])}
        onDone={() => {
          select([])
          void reload()
        }}
      />
    </Page>
  )
}

type Filter = Pick<NonNullable<Parameters<Api['suppressions']['list']>[0]>, 'search' | 'reason'>

/** The number that match, which only the first page of a list has. */
function useTotal(page: { total: number; cursor: string | null } | undefined): number {
  const known = useRef(0)
  if (page && page.total > 0) known.current = page.total
  return known.current
}

interface BulkRemovalProps {
  chosen: { ids: string[] } | { filter: Filter }
  count: number
  total: number | undefined
  onSelectAll(): void
  onClear(): void
  onDone(): void
}

function BulkRemoval({ chosen, count, total, onSelectAll, onClear, onDone }: BulkRemovalProps) {
  const { api } = useApi()
  const toast = useToast()
  const [confirming, setConfirming] = useState(false)
  const removeChosen = async () => {
    let removed = 0
    for (let hasMore = true; hasMore; ) {
      const answer = await unwrap(api.suppressions.deleteMany(chosen))
      removed += answer.removedCount
      hasMore = answer.hasMore && answer.removedCount > 0
    }
    toast.done(texts.bulk.done(removed))
    onDone()
  }
  return (
    <>
      <SelectionBar texts={texts.bulk} count={count} total={total} onSelectAll={onSelectAll} onClear={onClear}>
        <Button kind="danger" onClick={() => setConfirming(true)}>
          {texts.bulk.remove}
        </Button>
      </SelectionBar>
      <Confirm
        open={confirming}
        onClose={() => setConfirming(false)}
        title={texts.bulk.removeTitle(count)}
        typeToConfirm={String(count)}
        action={texts.bulk.removeAction(count)}
        onConfirm={removeChosen}
      >
        <p>{texts.bulk.removeEffect}</p>
      </Confirm>
    </>
  )
}

function SuppressDialog({ onClose, onDone }: { onClose(): void; onDone(): void }) {
  const { api } = useApi()
  const toast = useToast()
  const [email, setEmail] = useState('')
  const [topic, setTopic] = useState('')
  const topics = useTopics()
  const { run, busy, error, problem } = useAction()
  const suppressAddress = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await run(api.suppressions.create({ email, topic: topic || null })))) return
    toast.done(texts.addDialog.added)
    onClose()
    onDone()
  }
  return (
    <Dialog open onClose={onClose} title={texts.addDialog.title}>
      <form onSubmit={suppressAddress} className="space-y-4">
        <Input
          label={texts.addDialog.email}
          type="email"
          required
          autoFocus
          value={email}
          error={fieldError(error, 'email')}
          onChange={(event) => setEmail(event.target.value)}
        />
        {topics.length > 0 && (
          <Picker
            kind="topic"
            label={texts.addDialog.topic}
            value={topic}
            choices={[
              { value: '', label: texts.allTopics },
              ...topics.map(({ key, name }) => ({ value: key, label: name })),
            ]}
            error={fieldError(error, 'topic')}
            onChoose={setTopic}
          />
        )}
        {problem && <Problem error={problem} shown={['email', 'topic']} />}
        <SubmitActions busy={busy} onCancel={onClose}>
          {texts.addDialog.submit}
        </SubmitActions>
      </form>
    </Dialog>
  )
}
