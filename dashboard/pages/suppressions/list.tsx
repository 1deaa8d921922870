/** Addresses that never receive marketing email. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { unwrap } from '../../data/api.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Moment } from '../../figures/moment.tsx'
import { ListEmpty } from '../../lists/empty-state.tsx'
import { List, ListSearch } from '../../lists/list.tsx'
import { Problem } from '../../lists/problem.tsx'
import { ACTIONS, Cell, MomentCell, NameCell, Row } from '../../lists/table.tsx'
import { Page } from '../../shell/page.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, RemoveButton } from '../../ui/button.tsx'
import { Confirm, Dialog, SubmitActions } from '../../ui/dialog.tsx'
import { fieldError, Input } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

const Reason = ({ reason }: { reason: keyof typeof texts.reasons }) => (
  <Badge tone={reason === 'MANUAL' ? 'neutral' : 'bad'}>{texts.reasons[reason]}</Badge>
)

export function SuppressionsPage() {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [{ search = '', cursor }] = useSearchState<'search' | 'cursor'>()
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<string>()
  const query = { limit: 50, cursor, search: search || undefined }
  const list = useQuery({
    queryKey: [projectId, 'suppressions', query],
    queryFn: () => unwrap(api.suppressions.list(query)),
    placeholderData: keepPreviousData,
  })
  const reload = () => queries.invalidateQueries({ queryKey: [projectId, 'suppressions'] })
  const addButton = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden /> {texts.add}
    </Button>
  )
  return (
    <Page title={texts.title} lead={texts.lead} actions={addButton}>
      <SuppressDialog open={adding} onClose={() => setAdding(false)} onDone={() => void reload()} />
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={texts.removeTitle}
        action={texts.removeAction}
        onConfirm={async () => {
          await unwrap(api.suppressions.delete(removing!))
          toast.done(texts.removed)
          void reload()
        }}
      >
        <p>{texts.removeEffect(removing ?? '')}</p>
      </Confirm>
      <List
        list={list}
        label={texts.title}
        head={[texts.column.email, { wide: texts.column.reason }, { wide: texts.column.added }, ACTIONS]}
        row={(one) => (
          <Row>
            <NameCell
              to={projectPage(projectId, 'contacts', { search: one.email })}
              onPhone={
                <span className="flex flex-wrap items-center gap-x-2">
                  <Reason reason={one.reason} /> <Moment at={one.createdAt} relative />
                </span>
              }
            >
              {one.email}
            </NameCell>
            <Cell wide>
              <Reason reason={one.reason} />
            </Cell>
            <MomentCell wide at={one.createdAt} />
            <Cell>
              <RemoveButton label={texts.removeLabel(one.email)} onClick={() => setRemoving(one.email)} />
            </Cell>
          </Row>
        )}
        filtered={search !== ''}
        tools={<ListSearch label={texts.search} />}
        empty={<ListEmpty icon={Ban} filtered={search !== ''} texts={texts} actions={addButton} />}
      />
    </Page>
  )
}

function SuppressDialog({ open, onClose, onDone }: { open: boolean; onClose(): void; onDone(): void }) {
  const { api } = useApi()
  const toast = useToast()
  const [email, setEmail] = useState('')
  const { run, busy, error, problem } = useAction()
  const suppressAddress = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await run(api.suppressions.create({ email })))) return
    toast.done(texts.addDialog.added)
    setEmail('')
    onClose()
    onDone()
  }
  return (
    <Dialog open={open} onClose={onClose} title={texts.addDialog.title}>
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
        {problem && !fieldError(error, 'email') && <Problem error={problem} />}
        <SubmitActions busy={busy} onCancel={onClose}>
          {texts.addDialog.submit}
        </SubmitActions>
      </form>
    </Dialog>
  )
}
