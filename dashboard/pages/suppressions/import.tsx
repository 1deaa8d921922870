/** Imports suppressions from a CSV file, and shows the rows that were skipped. */
import { type FormEvent, useState } from 'react'
import type { Schemas } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Problem } from '../../lists/problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, SubmitActions } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

const T = texts.importDialog
const ERRORS_SHOWN = 5

export function ImportDialog({ onClose, onDone }: { onClose(): void; onDone(): void }) {
  const { api } = useApi()
  const toast = useToast()
  const [file, setFile] = useState<File>()
  const [result, setResult] = useState<Schemas['SuppressionImport']>()
  const { run, busy, problem } = useAction()
  const importFile = async (event: FormEvent) => {
    event.preventDefault()
    const done = file && (await run(api.suppressions.import(file, file.name)))
    if (!done) return
    onDone()
    if (done.data.failureCount > 0) return setResult(done.data)
    toast.done(T.done(done.data.addedCount, done.data.existingCount))
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={T.title}>
      {result ? (
        <div className="space-y-4 text-sm">
          <p>{T.done(result.addedCount, result.existingCount)}</p>
          <p>{T.failed(result.failureCount)}</p>
          <ul className="list-disc ps-5">
            {result.errors.slice(0, ERRORS_SHOWN).map(({ row, error }) => (
              <li key={row}>{T.row(row, error)}</li>
            ))}
          </ul>
          <Button onClick={onClose}>{T.close}</Button>
        </div>
      ) : (
        <form onSubmit={importFile} className="space-y-4">
          <p className="text-sm text-soft">{T.lead}</p>
          <label className="block text-sm font-medium">
            {T.file}
            <input
              type="file"
              required
              accept=".csv,.tsv,.txt,text/csv"
              className="mt-1.5 block w-full font-normal"
              onChange={(event) => setFile(event.target.files?.[0])}
            />
          </label>
          {problem && <Problem error={problem} />}
          <SubmitActions busy={busy} onCancel={onClose}>
            {T.submit}
          </SubmitActions>
        </form>
      )}
    </Dialog>
  )
}
