/** The executions of a workflow. All active ones can be canceled at once. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useLiveQueries } from '../../data/live.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { Moment } from '../../figures/moment.tsx'
import { Empty } from '../../lists/empty-state.tsx'
import { filterOptions, List, ListFilter } from '../../lists/list.tsx'
import { Cell, MomentCell, NameCell, Row } from '../../lists/table.tsx'
import { RunStatus } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { stepName } from './steps/registry.ts'
import type { Workflow } from './steps/step.ts'
import { texts } from './texts.ts'

const T = texts.executions
/** The stream reports when an execution starts and ends, but not when it enters a step. */
const STEPS_EVERY_MS = 10_000

type Execution = Pick<Schemas['WorkflowExecution'], 'exitReason' | 'currentStepId'>

const ACTIVE = ['RUNNING', 'WAITING'] as const
const STATUSES = [...ACTIVE, 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED']

type Status = Schemas['WorkflowExecution']['status']

export function Executions({ workflow }: { workflow: Workflow }) {
  const { projectId, api } = useApi()
  const [{ status = '', page = '1' }] = useSearchState<'status' | 'page'>()
  const query = { page: Number(page) || 1, status: (status || undefined) as Status | undefined }
  const list = useQuery({
    queryKey: [projectId, 'workflows', workflow.id, 'executions', query],
    queryFn: () => unwrap(api.workflows.executions.list(workflow.id, query)),
    placeholderData: keepPreviousData,
    refetchInterval: STEPS_EVERY_MS,
  })
  useLiveQueries(
    [[projectId, 'workflows', workflow.id, 'executions']],
    ({ metadata }) => metadata.workflowId === workflow.id,
  )
  const stepOf = ({ exitReason, currentStepId }: Execution) => {
    if (exitReason) return T.exited(exitReason)
    const step = workflow.steps.find(({ id }) => id === currentStepId)
    return step ? stepName(step) : T.noStep
  }
  return (
    <div className="pt-5">
      <List
        list={list}
        title={T.title}
        lead={T.lead}
        actions={
          <div className="flex flex-wrap gap-2">
            <ListFilter label={T.status} name="status" options={filterOptions(T.anyStatus, 'executions', STATUSES)} />
            <CancelAll workflow={workflow} />
          </div>
        }
        label={T.title}
        total={list.data?.total ? T.total(list.data.total) : undefined}
        head={[T.columns.contact, T.columns.status, { wide: T.columns.step }, { wide: T.columns.started }]}
        row={(execution) => (
          <Row>
            <NameCell
              to={projectPage(projectId, 'workflows/$id/executions/$executionId', {
                id: workflow.id,
                executionId: execution.id,
              })}
              error={execution.error}
              onPhone={
                <>
                  {stepOf(execution)} · <Moment at={execution.startedAt} relative />
                </>
              }
            >
              <ContactName id={execution.contactId} />
            </NameCell>
            <Cell>
              <RunStatus status={execution.status} />
            </Cell>
            <Cell wide className="whitespace-nowrap text-soft">
              {stepOf(execution)}
            </Cell>
            <MomentCell wide at={execution.startedAt} />
          </Row>
        )}
        empty={
          <Empty icon={ListChecks} title={T.emptyTitle}>
            {status ? T.emptyFiltered : T.empty}
          </Empty>
        }
      />
    </div>
  )
}

/** The address of a contact, or what is shown instead while it is loaded and after the contact was deleted. */
export function useContactName(id: string | null): string {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'contacts', id],
    enabled: id !== null,
    staleTime: 60_000,
    queryFn: () => unwrap(api.contacts.get(id!)),
  })
  return id === null ? texts.erasedContact : (data?.email ?? '…')
}

export const ContactName = ({ id }: { id: string | null }) => useContactName(id)

function CancelAll({ workflow }: { workflow: Workflow }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [open, setOpen] = useState(false)
  const { data: active } = useQuery({
    queryKey: [projectId, 'workflows', workflow.id, 'executions', 'active'],
    enabled: open,
    staleTime: 0,
    queryFn: async () => {
      const pages = ACTIVE.map((status) => unwrap(api.workflows.executions.list(workflow.id, { status, pageSize: 1 })))
      return (await Promise.all(pages)).reduce((sum, { total }) => sum + total, 0)
    },
  })
  return (
    <>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {T.cancelAll}
      </Button>
      <Confirm
        open={open}
        onClose={() => setOpen(false)}
        title={T.cancelAllTitle}
        action={T.cancelAll}
        onConfirm={async () => {
          const { cancelled } = await unwrap(api.workflows.executions.cancelAll(workflow.id))
          toast.done(T.cancelledAll(cancelled))
          void queries.invalidateQueries({ queryKey: [projectId, 'workflows', workflow.id] })
        }}
      >
        <p>{T.cancelAllEffect(active)}</p>
      </Confirm>
    </>
  )
}
