/** Importing a CSV file: looked at first, then sent, then watched, then told row by row what went wrong. */
import { useQueryClient } from '@tanstack/react-query'
import { FileSpreadsheet } from 'lucide-react'
import { type ChangeEvent, useState } from 'react'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { isOver, Progress, useJob } from '../../parts/progress.tsx'
import { Cell, Row, Table } from '../../parts/table.tsx'
import { useApi } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import { type CsvPreview, LARGEST_BYTES, previewCsv } from './csv-preview.ts'

const LOOKED_AT_BYTES = 256 * 1024

export function ImportPage() {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const [file, setFile] = useState<File>()
  const [preview, setPreview] = useState<CsvPreview>()
  const [jobId, setJobId] = useState<string>()
  const { act, busy, problem } = useAct()
  const picks = async (event: ChangeEvent<HTMLInputElement>) => {
    const picked = event.target.files?.[0]
    if (!picked) return
    setFile(picked)
    const seen = previewCsv(await picked.slice(0, LOOKED_AT_BYTES).text())
    setPreview(picked.size > LARGEST_BYTES ? { ...seen, wrong: 'The file is larger than 5 MB. Split it.' } : seen)
  }
  const starts = async () => {
    const done = await act(api.contacts.import(file!, file!.name))
    if (!done) return
    setJobId(done.data.jobId)
    void queries.invalidateQueries({ queryKey: [projectId, 'contacts'] })
  }

  return (
    <Page
      title="Import contacts"
      lead="A CSV file of at most 5 MB. Its first row names the columns; one of them is email. Contacts that exist are updated."
      back={{ to: inProjectPath(projectId, 'contacts'), words: 'Contacts' }}
    >
      {jobId ? (
        <ImportProgress
          jobId={jobId}
          onAgain={() => {
            setJobId(undefined)
            setFile(undefined)
            setPreview(undefined)
          }}
        />
      ) : (
        <div className="space-y-5">
          <label className="flex cursor-pointer flex-col items-center gap-2 rounded-card border border-dashed border-line-strong bg-card px-6 py-10 text-center focus-within:outline-2 focus-within:outline-accent hover:bg-panel">
            <FileSpreadsheet className="size-6 text-accent" aria-hidden />
            <span className="font-medium">{file ? file.name : 'Choose a CSV file'}</span>
            <span className="text-sm text-soft">
              {file ? 'Choose another' : 'Nothing is sent before you have seen it'}
            </span>
            <input type="file" accept=".csv,text/csv" className="sr-only" onChange={(event) => void picks(event)} />
          </label>
          {preview?.wrong && <Problem error={new Error(preview.wrong)} />}
          {preview && !preview.wrong && (
            <>
              <PreviewTable preview={preview} />
              {problem && <Problem error={problem} />}
              <Button kind="primary" busy={busy} onClick={() => void starts()}>
                Import this file
              </Button>
            </>
          )}
        </div>
      )}
    </Page>
  )
}

const meaningOf = (column: string) => (column === 'email' || column === 'subscribed' ? column : `data.${column}`)

const PreviewTable = ({ preview }: { preview: CsvPreview }) => (
  <Card title="The first rows" lead="Empty cells change nothing." flush>
    <Table
      label="Preview of the file"
      head={preview.columns.map((column) => (
        <span key={column} className="flex items-center gap-2">
          {column} <Badge tone={column === 'email' ? 'good' : 'neutral'}>{meaningOf(column)}</Badge>
        </span>
      ))}
    >
      {preview.rows.map((row, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file do not move.
        <Row key={i}>
          {preview.columns.map((column, n) => (
            <Cell key={column} className="max-w-64 truncate">
              {row[n]}
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  </Card>
)

function ImportProgress({ jobId, onAgain }: { jobId: string; onAgain(): void }) {
  const { projectId, api } = useApi()
  const { data: job, error } = useJob([projectId, 'import', jobId], () => unwrap(api.contacts.getImport(jobId)))
  return (
    <div className="space-y-5">
      <Card>
        {error ? (
          <Problem error={error} />
        ) : (
          <Progress percent={job?.progress ?? 0} label={job?.status === 'COMPLETED' ? 'Done' : 'Importing'} />
        )}
        {job?.status === 'FAILED' && <Problem error={new Error(job.error ?? 'The import failed.')} />}
        {job?.result && <Outcome result={job.result} />}
      </Card>
      {job?.result && job.result.errors.length > 0 && <RowErrors result={job.result} />}
      {isOver(job) && (
        <div className="flex gap-2">
          <LinkButton kind="primary" to={inProjectPath(projectId, 'contacts')}>
            See the contacts
          </LinkButton>
          <Button onClick={onAgain}>Import another file</Button>
        </div>
      )}
    </div>
  )
}

type ImportResult = NonNullable<Schemas['ImportJob']['result']>

function Outcome({ result }: { result: ImportResult }) {
  const figures = {
    Rows: result.totalRows,
    Created: result.createdCount,
    Updated: result.updatedCount,
    Unchanged: result.unchangedCount,
    Failed: result.failureCount,
  }
  return (
    <dl className="mt-5 grid grid-cols-2 gap-4 sm:grid-cols-5">
      {Object.entries(figures).map(([name, count]) => (
        <div key={name}>
          <dt className="text-sm text-soft">{name}</dt>
          <dd className={`figures text-xl font-semibold ${name === 'Failed' && count > 0 ? 'text-bad' : ''}`}>
            {count.toLocaleString()}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const RowErrors = ({ result }: { result: ImportResult }) => (
  <Card
    title="Rows that were left out"
    lead={
      result.failureCount > result.errors.length
        ? `The first ${result.errors.length} of ${result.failureCount}.`
        : 'The others were imported.'
    }
    flush
  >
    <Table label="Rows that were left out" head={['Row', 'Email', 'Why']}>
      {result.errors.map((item) => (
        <Row key={item.row}>
          <Cell>{item.row}</Cell>
          <Cell>{item.email ?? '–'}</Cell>
          <Cell>{item.error}</Cell>
        </Row>
      ))}
    </Table>
  </Card>
)
