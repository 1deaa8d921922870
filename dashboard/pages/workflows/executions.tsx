/** Who goes through a workflow: found by state; all of them can be stopped at once. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Footprints } from 'lucide-react'
import { useState } from 'react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { inWords } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { Select } from '../../parts/field.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading } from '../../parts/page.tsx'
import { PageNumbers } from '../../parts/page-numbers.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, Row, Table } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { RunStatus } from './run-status.tsx'
import { stepName, type Workflow } from './steps.ts'

const STATUSES = ['RUNNING', 'WAITING', 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED']
const OPTIONS = { '': 'Any state', ...Object.fromEntries(STATUSES.map((status) => [status, inWords(status)])) }

export function Executions({ workflow }: { workflow: Workflow }) {
  const { projectId, api } = useApi()
  const [{ status = '', page = '1' }, change] = useSearchState<'status' | 'page'>()
  const query = { page: Number(page) || 1, status: (status || undefined) as never }
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'workflows', workflow.id, 'executions', query],
    queryFn: () => unwrap(api.workflows.executions.list(workflow.id, query)),
    placeholderData: keepPreviousData,
    refetchInterval: 3_000,
  })
  const at = (stepId: string | null) => workflow.steps.find(({ id }) => id === stepId)
  return (
    <div className="pt-5">
      <Card
        flush
        title="Executions"
        lead="One for each contact on its way."
        actions={
          <div className="flex flex-wrap gap-2">
            <CancelAll workflow={workflow} />
            <div className="w-36">
              <Select
                label="State"
                hideLabel
                value={status}
                options={OPTIONS}
                onChange={(event) => change({ status: event.target.value, page: undefined }, { replace: true })}
              />
            </div>
          </div>
        }
      >
        {error && (
          <div className="p-5">
            <Problem error={error} retry={() => void refetch()} />
          </div>
        )}
        {!data && !error && <Loading />}
        {data?.data.length === 0 && (
          <Empty icon={Footprints} title="Nobody here">
            {status ? 'Nobody is in this state.' : 'Enable the workflow; whoever the event is about appears here.'}
          </Empty>
        )}
        {data && data.data.length > 0 && (
          <Table label="Executions" head={['Contact', 'State', 'At', 'Started']}>
            {data.data.map((one) => {
              const step = at(one.currentStepId)
              return (
                <Row key={one.id}>
                  <Cell className="w-full min-w-48">
                    <Link
                      to={inProjectPath(projectId, `workflows/${workflow.id}/executions/${one.id}`)}
                      className="font-medium hover:underline"
                    >
                      <ContactName id={one.contactId} />
                    </Link>
                    {one.error && <p className="text-[0.8125rem] text-bad">{one.error}</p>}
                  </Cell>
                  <Cell>
                    <RunStatus status={one.status} />
                  </Cell>
                  <Cell className="whitespace-nowrap text-soft">{one.exitReason ?? (step ? stepName(step) : '–')}</Cell>
                  <Cell className="text-soft">
                    <Moment at={one.startedAt} relative />
                  </Cell>
                </Row>
              )
            })}
          </Table>
        )}
        {data && (
          <PageNumbers page={data.page} totalPages={data.totalPages} onGo={(to) => change({ page: String(to) })} />
        )}
      </Card>
    </div>
  )
}

export function ContactName({ id }: { id: string | null }) {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'contacts', id],
    enabled: id !== null,
    staleTime: 60_000,
    queryFn: () => unwrap(api.contacts.get(id!)),
  })
  return id === null ? 'An erased contact' : (data?.email ?? '…')
}

function CancelAll({ workflow }: { workflow: Workflow }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button kind="danger" onClick={() => setOpen(true)}>
        Cancel all
      </Button>
      <Confirm
        open={open}
        onClose={() => setOpen(false)}
        title="Cancel everyone under way?"
        act="Cancel all"
        onAct={async () => {
          const { cancelled } = await unwrap(api.workflows.executions.cancelAll(workflow.id))
          toast.done(`${cancelled.toLocaleString()} cancelled.`)
          void queries.invalidateQueries({ queryKey: [projectId, 'workflows', workflow.id] })
        }}
      >
        <p>Whoever runs or waits stops where they are. What was sent stays sent.</p>
      </Confirm>
    </>
  )
}
