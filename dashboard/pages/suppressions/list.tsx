/** Addresses that get no bulk mail: they bounced, complained, or were put here by hand. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { unwrap } from '../../api.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm, Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { Input, wrongAt } from '../../parts/field.tsx'
import { List, ListSearch } from '../../parts/list.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { ACTS, Cell, MomentCell, OnPhone, Row } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { useAct } from '../../use-act.ts'

const REASONS = { BOUNCE: 'Bounced for good', COMPLAINT: 'Complained', MANUAL: 'By hand' }

const Reason = ({ of }: { of: keyof typeof REASONS }) => (
  <Badge tone={of === 'MANUAL' ? 'neutral' : 'bad'}>{REASONS[of]}</Badge>
)

export function SuppressionsPage() {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [{ search = '', cursor }] = useSearchState<'search' | 'cursor'>()
  const [adding, setAdding] = useState(false)
  const [lifting, setLifting] = useState<string>()
  const query = { limit: 50, cursor, search: search || undefined }
  const list = useQuery({
    queryKey: [projectId, 'suppressions', query],
    queryFn: () => unwrap(api.suppressions.list(query)),
    placeholderData: keepPreviousData,
  })
  const reload = () => queries.invalidateQueries({ queryKey: [projectId, 'suppressions'] })
  return (
    <Page
      title="Suppressions"
      lead="Addresses that get no bulk mail, also after a delete and a new import."
      actions={
        <Button kind="primary" onClick={() => setAdding(true)}>
          <Plus aria-hidden /> Suppress an address
        </Button>
      }
    >
      <Suppress open={adding} onClose={() => setAdding(false)} onDone={() => void reload()} />
      <Confirm
        open={lifting !== undefined}
        onClose={() => setLifting(undefined)}
        title="Lift this suppression?"
        act="Lift it"
        onAct={async () => {
          await unwrap(api.suppressions.delete(lifting!))
          toast.done('Suppression lifted.')
          void reload()
        }}
      >
        <p>
          {lifting} may get bulk mail again, if it is subscribed. Mail to addresses that bounce hurts your reputation.
        </p>
      </Confirm>
      <List
        list={list}
        label="Suppressions"
        head={['Email', { wide: 'Reason' }, { wide: 'Since' }, ACTS]}
        row={(one) => (
          <Row>
            <Cell className="w-full font-medium wrap-anywhere">
              {one.email}
              <OnPhone>
                <Reason of={one.reason} />
              </OnPhone>
            </Cell>
            <Cell wide>
              <Reason of={one.reason} />
            </Cell>
            <MomentCell wide at={one.createdAt} />
            <Cell>
              <Button aria-label={`Lift ${one.email}`} onClick={() => setLifting(one.email)}>
                Lift
              </Button>
            </Cell>
          </Row>
        )}
        tools={<ListSearch label="Search addresses" />}
        empty={
          <Empty icon={Ban} title={search ? 'No address matches' : 'Nobody is suppressed'}>
            {!search && 'Addresses that bounce for good or complain appear here by themselves.'}
          </Empty>
        }
      />
    </Page>
  )
}

function Suppress({ open, onClose, onDone }: { open: boolean; onClose(): void; onDone(): void }) {
  const { api } = useApi()
  const toast = useToast()
  const [email, setEmail] = useState('')
  const { act, busy, error, problem } = useAct()
  const adds = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await act(api.suppressions.create({ email })))) return
    toast.done('Address suppressed.')
    setEmail('')
    onClose()
    onDone()
  }
  return (
    <Dialog open={open} onClose={onClose} title="Suppress an address">
      <form onSubmit={adds} className="space-y-4">
        <Input
          label="Email"
          type="email"
          required
          autoFocus
          value={email}
          wrong={wrongAt(error, 'email')}
          onChange={(event) => setEmail(event.target.value)}
        />
        {problem && !wrongAt(error, 'email') && <Problem error={problem} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={busy}>
            Suppress
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
