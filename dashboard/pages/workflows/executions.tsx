/** Who goes through a workflow: found by state; all of them can be stopped at once. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Footprints } from 'lucide-react'
import { useState } from 'react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { filterOptions, List, ListFilter } from '../../parts/list.tsx'
import { Cell, MomentCell, NameCell, Row } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { RunStatus } from './run-status.tsx'
import { stepName, type Workflow } from './steps.ts'

const STATUSES = ['RUNNING', 'WAITING', 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED']

export function Executions({ workflow }: { workflow: Workflow }) {
  const { projectId, api } = useApi()
  const [{ status = '', page = '1' }] = useSearchState<'status' | 'page'>()
  const query = { page: Number(page) || 1, status: (status || undefined) as never }
  const list = useQuery({
    queryKey: [projectId, 'workflows', workflow.id, 'executions', query],
    queryFn: () => unwrap(api.workflows.executions.list(workflow.id, query)),
    placeholderData: keepPreviousData,
    refetchInterval: 3_000,
  })
  const at = (stepId: string | null) => {
    const step = workflow.steps.find(({ id }) => id === stepId)
    return step ? stepName(step) : '–'
  }
  return (
    <div className="pt-5">
      <List
        list={list}
        title="Executions"
        lead="One for each contact on its way."
        actions={
          <div className="flex flex-wrap gap-2">
            <CancelAll workflow={workflow} />
            <ListFilter label="State" name="status" options={filterOptions('Any state', STATUSES)} />
          </div>
        }
        label="Executions"
        head={['Contact', 'State', { wide: 'At' }, { wide: 'Started' }]}
        row={(one) => (
          <Row>
            <NameCell to={inProjectPath(projectId, `workflows/${workflow.id}/executions/${one.id}`)} error={one.error}>
              <ContactName id={one.contactId} />
            </NameCell>
            <Cell>
              <RunStatus status={one.status} />
            </Cell>
            <Cell wide className="whitespace-nowrap text-soft">
              {one.exitReason ?? at(one.currentStepId)}
            </Cell>
            <MomentCell wide at={one.startedAt} />
          </Row>
        )}
        empty={
          <Empty icon={Footprints} title="Nobody here">
            {status ? 'Nobody is in this state.' : 'Enable the workflow; whoever the event is about appears here.'}
          </Empty>
        }
      />
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
        action="Cancel all"
        onConfirm={async () => {
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
