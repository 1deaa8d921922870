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
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { Cell, Pager, Row, Table } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { useAct } from '../../use-act.ts'

const REASONS = { BOUNCE: 'Bounced for good', COMPLAINT: 'Complained', MANUAL: 'By hand' }

export function SuppressionsPage() {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [{ search = '', cursor }, change] = useSearchState<'search' | 'cursor'>()
  const [adding, setAdding] = useState(false)
  const [lifting, setLifting] = useState<string>()
  const query = { limit: 50, cursor, search: search || undefined }
  const { data, error, refetch } = useQuery({
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
      <Card flush>
        <div className="px-5 pt-2 pb-3">
          <SearchBox
            label="Search addresses"
            value={search}
            onSearch={(text) => change({ search: text, cursor: undefined }, { replace: true })}
          />
        </div>
        {error && (
          <div className="p-5">
            <Problem error={error} retry={() => void refetch()} />
          </div>
        )}
        {!data && !error && <Loading />}
        {data?.data.length === 0 && (
          <Empty icon={Ban} title={search ? 'No address matches' : 'Nobody is suppressed'}>
            {!search && 'Addresses that bounce for good or complain appear here by themselves.'}
          </Empty>
        )}
        {data && data.data.length > 0 && (
          <Table
            label="Suppressions"
            head={[
              'Email',
              'Reason',
              'Since',
              <span key="x" className="sr-only">
                Acts
              </span>,
            ]}
          >
            {data.data.map((one) => (
              <Row key={one.id}>
                <Cell className="w-full font-medium">{one.email}</Cell>
                <Cell>
                  <Badge tone={one.reason === 'MANUAL' ? 'neutral' : 'bad'}>{REASONS[one.reason]}</Badge>
                </Cell>
                <Cell className="text-soft">
                  <Moment at={one.createdAt} relative />
                </Cell>
                <Cell>
                  <Button aria-label={`Lift ${one.email}`} onClick={() => setLifting(one.email)}>
                    Lift
                  </Button>
                </Cell>
              </Row>
            ))}
          </Table>
        )}
        <Pager cursor={cursor} next={data?.cursor ?? null} onGo={(to) => change({ cursor: to })} />
      </Card>
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
