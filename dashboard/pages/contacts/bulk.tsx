/** Actions on the selected contacts. Each runs as a job whose progress is shown. */
import { useEffect, useState } from 'react'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { Problem } from '../../lists/problem.tsx'
import { hasEnded, Progress, useJob } from '../../lists/progress.tsx'
import { SelectionBar } from '../../lists/selection.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { type BulkContacts, BulkMenu, type BulkTarget, TargetDialog } from './bulk-target.tsx'
import { texts } from './texts.ts'

type Api = ReturnType<typeof useApi>['api']

const START = {
  // Removing a suppression is a decision about one address, so this keeps them.
  subscribe: (api: Api, contacts: BulkContacts) => api.contacts.bulkSubscribe(contacts, { keepSuppression: true }),
  unsubscribe: (api: Api, contacts: BulkContacts) => api.contacts.bulkUnsubscribe(contacts),
  delete: (api: Api, contacts: BulkContacts) => api.contacts.bulkDelete(contacts),
}
type BulkAction = keyof typeof START

interface BulkProps {
  /** Contacts, or the condition of all that the list has. */
  selection: BulkContacts
  count: number
  /** The number of contacts on all pages, if they are not all selected. */
  total: number | undefined
  onSelectAll(): void
  onDone(): void
  onClear(): void
}

export function BulkBar({ selection, count, total, onSelectAll, onDone, onClear }: BulkProps) {
  const { api } = useApi()
  const [jobId, setJobId] = useState<string>()
  const [confirming, setConfirming] = useState<BulkAction>()
  const [target, setTarget] = useState<BulkTarget>()
  const startJob = async (action: BulkAction) => {
    const { jobId } = await unwrap(START[action](api, selection))
    setJobId(jobId)
  }
  const close = () => setConfirming(undefined)

  return (
    <>
      <SelectionBar texts={texts.bulk} count={count} total={total} onSelectAll={onSelectAll} onClear={onClear}>
        <span className="flex gap-2 max-sm:order-last">
          <Button onClick={() => setConfirming('subscribe')}>{texts.bulk.subscribe}</Button>
          <Button onClick={() => setConfirming('unsubscribe')}>{texts.bulk.unsubscribe}</Button>
          <Button kind="danger" onClick={() => setConfirming('delete')}>
            {texts.bulk.delete}
          </Button>
        </span>
        <BulkMenu onChoose={setTarget} />
      </SelectionBar>
      {(['subscribe', 'unsubscribe'] as const).map((action) => (
        <Confirm
          key={action}
          open={confirming === action}
          onClose={close}
          title={texts.bulk.confirm[action].title(count)}
          action={texts.bulk.confirm[action].action(count)}
          harmless
          onConfirm={() => startJob(action)}
        >
          <p>{texts.bulk.confirm[action].effect}</p>
        </Confirm>
      ))}
      <Confirm
        open={confirming === 'delete'}
        onClose={close}
        title={texts.bulk.deleteTitle(count)}
        typeToConfirm={String(count)}
        action={texts.bulk.deleteAction(count)}
        onConfirm={() => startJob('delete')}
      >
        <p>{texts.bulk.deleteEffect(count)}</p>
      </Confirm>
      {target && (
        <TargetDialog
          target={target}
          selection={selection}
          count={count}
          onClose={() => setTarget(undefined)}
          onStarted={(id) => {
            setTarget(undefined)
            setJobId(id)
          }}
        />
      )}
      {jobId && (
        <BulkProgress
          jobId={jobId}
          onClose={() => {
            setJobId(undefined)
            onDone()
          }}
        />
      )}
    </>
  )
}

function BulkProgress({ jobId, onClose }: { jobId: string; onClose(): void }) {
  const { projectId, api } = useApi()
  const toast = useToast()
  const { data: job, error } = useJob([projectId, 'bulk', jobId], () => unwrap(api.contacts.getBulk(jobId)))
  const succeeded = job?.status === 'COMPLETED' && job.result?.failureCount === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on success.
  useEffect(() => {
    if (!succeeded) return
    toast.done(texts.bulk.done(job.result!.successCount, job.result!.unchangedCount))
    onClose()
  }, [succeeded])
  return (
    <Dialog open onClose={onClose} title={texts.bulk.progressTitle}>
      {error ? <Problem error={error} /> : <Progress percent={job?.progress ?? 0} label={texts.bulk.progress} />}
      {job?.status === 'FAILED' && <Problem error={new Error(job.error ?? texts.bulk.failed)} />}
      {job?.result && job.result.failureCount > 0 && (
        <ul className="mt-4 max-h-48 list-inside list-disc overflow-y-auto text-sm text-soft">
          {job.result.errors.map((item) => (
            <li key={item.contactId}>{item.error}</li>
          ))}
        </ul>
      )}
      <DialogActions>
        <Button onClick={onClose}>{hasEnded(job) ? texts.bulk.close : texts.bulk.background}</Button>
      </DialogActions>
    </Dialog>
  )
}
