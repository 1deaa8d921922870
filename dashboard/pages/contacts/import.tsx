/** Imports a CSV file: preview, upload, progress, and the rows that were skipped. */
import { useQueryClient } from '@tanstack/react-query'
import { FileSpreadsheet } from 'lucide-react'
import { type ChangeEvent, useState } from 'react'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { formatNumber } from '../../parts/format.ts'
import { Card, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { hasEnded, Progress, useJob } from '../../parts/progress.tsx'
import { Cell, Row, Table } from '../../parts/table.tsx'
import { sharedTexts } from '../../parts/texts.ts'
import { useApi } from '../../project.ts'
import { useAction } from '../../use-action.ts'
import { type CsvPreview, MAX_BYTES, previewCsv } from './csv-preview.ts'
import { texts } from './texts.ts'

const PREVIEW_BYTES = 256 * 1024

export function ImportPage() {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const [file, setFile] = useState<File>()
  const [preview, setPreview] = useState<CsvPreview>()
  const [jobId, setJobId] = useState<string>()
  const { run, busy, problem } = useAction()
  const chooseFile = async (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.target.files?.[0]
    if (!chosen) return
    setFile(chosen)
    const parsed = previewCsv(await chosen.slice(0, PREVIEW_BYTES).text())
    setPreview(chosen.size > MAX_BYTES ? { ...parsed, problem: texts.importPage.tooLarge } : parsed)
  }
  const startImport = async () => {
    const done = await run(api.contacts.import(file!, file!.name))
    if (!done) return
    setJobId(done.data.jobId)
    void queries.invalidateQueries({ queryKey: [projectId, 'contacts'] })
  }

  return (
    <Page
      title={texts.importPage.title}
      lead={texts.importPage.lead}
      back={{ to: inProjectPath(projectId, 'contacts'), label: texts.title }}
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
            <span className="font-medium">{file ? file.name : texts.importPage.choose}</span>
            <span className="text-sm text-soft">
              {file ? texts.importPage.chooseOther : texts.importPage.chooseHint}
            </span>
            <input
              type="file"
              accept=".csv,text/csv"
              className="sr-only"
              onChange={(event) => void chooseFile(event)}
            />
          </label>
          {preview?.problem && <Problem error={new Error(preview.problem)} />}
          {preview && !preview.problem && (
            <>
              <PreviewTable preview={preview} />
              {problem && <Problem error={problem} />}
              <Button kind="primary" busy={busy} onClick={() => void startImport()}>
                {texts.importPage.start}
              </Button>
            </>
          )}
        </div>
      )}
    </Page>
  )
}

const fieldOf = (column: string) => (column === 'email' || column === 'subscribed' ? column : `data.${column}`)

const PreviewTable = ({ preview }: { preview: CsvPreview }) => (
  <Card title={texts.importPage.previewTitle} lead={texts.importPage.previewLead} flush>
    <Table
      label={texts.importPage.previewLabel}
      head={preview.columns.map((column) => (
        <span key={column} className="flex items-center gap-2">
          {column} <Badge tone={column === 'email' ? 'good' : 'neutral'}>{fieldOf(column)}</Badge>
        </span>
      ))}
    >
      {preview.rows.map((row, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file don't move.
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
          <Progress
            percent={job?.progress ?? 0}
            label={job?.status === 'COMPLETED' ? texts.importPage.completed : texts.importPage.running}
          />
        )}
        {job?.status === 'FAILED' && <Problem error={new Error(job.error ?? texts.importPage.failed)} />}
        {job?.result && <Outcome result={job.result} />}
      </Card>
      {job?.result && job.result.errors.length > 0 && <RowErrors result={job.result} />}
      {hasEnded(job) && (
        <div className="flex gap-2">
          <LinkButton kind="primary" to={inProjectPath(projectId, 'contacts')}>
            {texts.importPage.viewContacts}
          </LinkButton>
          <Button onClick={onAgain}>{texts.importPage.another}</Button>
        </div>
      )}
    </div>
  )
}

type ImportResult = NonNullable<Schemas['ImportJob']['result']>

function Outcome({ result }: { result: ImportResult }) {
  const counts: [string, number][] = [
    [texts.importPage.rows, result.totalRows],
    [texts.importPage.created, result.createdCount],
    [texts.importPage.updated, result.updatedCount],
    [texts.importPage.unchanged, result.unchangedCount],
    [texts.importPage.failures, result.failureCount],
  ]
  return (
    <dl className="mt-5 grid grid-cols-2 gap-4 sm:grid-cols-5">
      {counts.map(([name, count]) => (
        <div key={name}>
          <dt className="text-sm text-soft">{name}</dt>
          <dd
            className={`figures text-xl font-semibold ${name === texts.importPage.failures && count > 0 ? 'text-bad' : ''}`}
          >
            {formatNumber(count)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const { column } = texts.importPage

const RowErrors = ({ result }: { result: ImportResult }) => (
  <Card
    title={texts.importPage.skippedTitle}
    lead={
      result.failureCount > result.errors.length
        ? texts.importPage.skippedSome(result.errors.length, result.failureCount)
        : texts.importPage.skippedLead
    }
    flush
  >
    <Table label={texts.importPage.skippedTitle} head={[column.row, column.email, column.reason]}>
      {result.errors.map((item) => (
        <Row key={item.row}>
          <Cell>{formatNumber(item.row)}</Cell>
          <Cell>{item.email ?? sharedTexts.missing}</Cell>
          <Cell>{item.error}</Cell>
        </Row>
      ))}
    </Table>
  </Card>
)
