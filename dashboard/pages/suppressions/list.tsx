/** Addresses that never receive marketing email. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, Download, Plus, Upload } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { downloadsIn, type Schemas, unwrap } from '../../data/api.ts'
import { useAdding, useApi, useSearchState } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Moment } from '../../figures/moment.tsx'
import { ListEmpty } from '../../lists/empty-state.tsx'
import { List, ListFilter, ListSearch } from '../../lists/list.tsx'
import { Problem } from '../../lists/problem.tsx'
import { saveFile } from '../../lists/save-file.ts'
import { ACTIONS, Cell, MomentCell, NameCell, Row } from '../../lists/table.tsx'
import { useTopics } from '../../mail/topics.tsx'
import { Picker } from '../../pickers/picker.tsx'
import { Page, WideActions } from '../../shell/page.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, RemoveButton } from '../../ui/button.tsx'
import { Confirm, Dialog, SubmitActions } from '../../ui/dialog.tsx'
import { fieldError, Input } from '../../ui/field.tsx'
import { PhoneActions } from '../../ui/more-actions.tsx'
import { useToast } from '../../ui/toast.tsx'
import { ImportDialog } from './import.tsx'
import { texts } from './texts.ts'

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
          texts.column.email,
          { wide: texts.column.reason },
          { wide: texts.column.topic },
          { wide: texts.column.added },
          ACTIONS,
        ]}
        row={(one) => (
          <Row>
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
            <Cell wide className="whitespace-nowrap">
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
    </Page>
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
