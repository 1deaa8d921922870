/** Adds events of the past from a file. */
import { useQueryClient } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useState } from 'react'
import { type Schemas, SERVICE_URL } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { formatNumber } from '../../figures/format.ts'
import { Problem } from '../../lists/problem.tsx'
import { Cell, NumberCell, Row, Table } from '../../lists/table.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { texts } from './texts.ts'

const T = texts.history

const EXAMPLE = `{"email": "ada@example.org", "event": "purchase", "timestamp": "2026-03-14T09:26:53Z", "data": {"total": 49.5}}`

export function ImportHistory() {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const { run, busy, problem } = useAction()
  const [open, setOpen] = useState(false)
  const [result, setResult] = useState<Schemas['ImportedEvents']>()
  const importFile = async (file: File) => {
    setResult(undefined)
    const done = await run(api.events.import(file, file.name))
    if (!done) return
    setResult(done.data)
    void queries.invalidateQueries({ queryKey: [projectId] })
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <History aria-hidden /> {T.open}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={T.open} lead={T.lead} wide>
        <div className="space-y-4">
          <CodeBlock text={EXAMPLE} label={T.example} />
          <p className="text-sm text-soft">
            {T.rules}{' '}
            <a
              href={`${SERVICE_URL}/docs/analytics#import-history`}
              target="_blank"
              rel="noreferrer"
              className="text-accent underline"
            >
              {T.docs}
            </a>
          </p>
          <FileButton
            label={T.file}
            accept=".jsonl,.ndjson,.csv,.txt"
            busy={busy}
            onChoose={(file) => void importFile(file)}
          >
            {T.choose}
          </FileButton>
          {problem && <Problem error={problem} />}
          {result && (
            <p aria-live="polite" className="text-sm font-medium">
              {T.done(result.importedCount, result.existingCount, result.failureCount)}
            </p>
          )}
          {result && result.errors.length > 0 && (
            <Table label={T.skipped} head={[{ number: T.column.row }, T.column.email, T.column.reason]}>
              {result.errors.map(({ row, email, error }) => (
                <Row key={row}>
                  <NumberCell>{formatNumber(row)}</NumberCell>
                  <Cell>{email ?? sharedTexts.missing}</Cell>
                  <Cell>{error}</Cell>
                </Row>
              ))}
            </Table>
          )}
        </div>
      </Dialog>
    </>
  )
}
