/** What can be done with the chosen contacts: a job, watched until it ends. */
import { useEffect, useState } from 'react'
import { unwrap } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { countWords } from '../../parts/count-words.ts'
import { Confirm, Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Problem } from '../../parts/problem.tsx'
import { isOver, Progress, useJob } from '../../parts/progress.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'

type Act = 'bulkSubscribe' | 'bulkUnsubscribe' | 'bulkDelete'

interface BulkProps {
  ids: string[]
  /** How many there are on all pages, where they can be chosen at once. */
  all: number | undefined
  onAll(): void
  onDone(): void
  onClear(): void
}

export function BulkBar({ ids, all, onAll, onDone, onClear }: BulkProps) {
  const { api } = useApi()
  const toast = useToast()
  const [jobId, setJobId] = useState<string>()
  const [deleting, setDeleting] = useState(false)
  const start = async (act: Act) => {
    const { jobId } = await unwrap(api.contacts[act](ids))
    setJobId(jobId)
  }
  const starts = (act: Act) => void start(act).catch(toast.failed)
  const count = countWords(ids.length, 'contact')

  return (
    <>
      {ids.length > 0 && (
        <div
          role="toolbar"
          aria-label="Chosen contacts"
          className="sticky bottom-4 z-10 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-card border border-line bg-card p-2 pl-4 text-sm shadow-float"
          data-appear
        >
          <span className="figures mr-2 font-medium">{count}</span>
          {all !== undefined && (
            <Button kind="quiet" onClick={onAll}>
              Choose all {all.toLocaleString()}
            </Button>
          )}
          <Button onClick={() => starts('bulkSubscribe')}>Subscribe</Button>
          <Button onClick={() => starts('bulkUnsubscribe')}>Unsubscribe</Button>
          <Button kind="danger" onClick={() => setDeleting(true)}>
            Delete
          </Button>
          <Button kind="quiet" onClick={onClear}>
            Clear
          </Button>
        </div>
      )}
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={`Delete ${count}?`}
        name={String(ids.length)}
        act={`Delete ${count}`}
        onAct={() => start('bulkDelete')}
      >
        <p>They are gone for good, with their data and events. To be sure, type how many.</p>
      </Confirm>
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
  const smooth = job?.status === 'COMPLETED' && job.result?.failureCount === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it went well.
  useEffect(() => {
    if (!smooth) return
    toast.done(`${job.result!.successCount} changed, ${job.result!.unchangedCount} were so already.`)
    onClose()
  }, [smooth])
  return (
    <Dialog open onClose={onClose} title="Working on it">
      {error ? <Problem error={error} /> : <Progress percent={job?.progress ?? 0} label="Contacts changed" />}
      {job?.status === 'FAILED' && <Problem error={new Error(job.error ?? 'The job failed.')} />}
      {job?.result && job.result.failureCount > 0 && (
        <ul className="mt-4 max-h-48 list-inside list-disc overflow-y-auto text-sm text-soft">
          {job.result.errors.map((item) => (
            <li key={item.contactId}>{item.error}</li>
          ))}
        </ul>
      )}
      <DialogActions>
        <Button onClick={onClose}>{isOver(job) ? 'Close' : 'Go on in the background'}</Button>
      </DialogActions>
    </Dialog>
  )
}
