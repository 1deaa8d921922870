/** Imports a CSV file: columns, what will change, upload, progress, and the rows that were skipped. */
import { useQueryClient } from '@tanstack/react-query'
import { Download, FileSpreadsheet } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { useContactFields } from '../../data/use-contact-facts.ts'
import { formatNumber } from '../../figures/format.ts'
import { Problem } from '../../lists/problem.tsx'
import { hasEnded, Progress, useJob } from '../../lists/progress.tsx'
import { saveFile } from '../../lists/save-file.ts'
import { Cell, NumberCell, Row, Table } from '../../lists/table.tsx'
import { Card, Loading, Page } from '../../shell/page.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { ConfirmationOption, ConfirmationProgress, isRate } from './confirmations.tsx'
import { type CsvPreview, decodeText, MAX_BYTES, previewCsv } from './csv-preview.ts'
import { ImportEffect } from './effect.tsx'
import { findMappingProblem, guessMapping, type Target, toMapping } from './guess-mapping.ts'
import { describeProblem, MappingTable } from './mapping-table.tsx'
import { moveTexts } from './move-texts.ts'
import { texts } from './texts.ts'

const SAMPLE_ROWS = 500
const SAMPLE = 'email,firstName,plan,subscribed\nada@example.com,Ada,pro,yes\ngrace@example.com,Grace,free,no\n'
const NOT_ON_PHONE = 'plan'

interface ChosenFile {
  file: File
  preview: CsvPreview
  /** The file in UTF-8. */
  content: Blob
  isConverted: boolean
  problem: string | undefined
}

async function readFile(file: File): Promise<ChosenFile> {
  const { text, isUtf8 } = decodeText(new Uint8Array(await file.slice(0, MAX_BYTES + 1).arrayBuffer()))
  const preview = previewCsv(text, SAMPLE_ROWS)
  const content = isUtf8 ? file : new Blob([text], { type: 'text/csv' })
  const isTooLarge = file.size > MAX_BYTES || content.size > MAX_BYTES
  const problem = isTooLarge ? texts.tooLarge : preview.columns.length === 0 ? texts.emptyFile : undefined
  return { file, preview, content, isConverted: !isUtf8, problem }
}

export function ImportPage() {
  const { projectId } = useApi()
  const [chosen, setChosen] = useState<ChosenFile>()
  const [{ job: jobId }, changeSearch] = useSearchState<'job'>()
  const chooseFile = async (files: FileList | null) => {
    const file = files?.[0]
    if (file) setChosen(await readFile(file))
  }
  const dropFile = (event: DragEvent) => {
    event.preventDefault()
    void chooseFile(event.dataTransfer.files)
  }
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      back={{ to: projectPage(projectId, 'contacts'), label: texts.contacts }}
      actions={<LinkButton to={projectPage(projectId, 'contacts/move')}>{moveTexts.link}</LinkButton>}
    >
      {jobId ? (
        <ImportProgress
          jobId={jobId}
          onAgain={() => {
            changeSearch({ job: undefined })
            setChosen(undefined)
          }}
        />
      ) : (
        <div className="space-y-5">
          <label
            onDragOver={(event) => event.preventDefault()}
            onDrop={dropFile}
            className={`flex cursor-pointer items-center rounded-card border border-dashed border-line-strong bg-card px-6 focus-within:outline-2 focus-within:outline-accent hover:bg-panel ${chosen ? 'gap-3 py-4' : 'flex-col gap-2 py-10 text-center'}`}
          >
            <FileSpreadsheet className="size-6 shrink-0 text-accent" aria-hidden />
            <span
              className={`font-medium wrap-anywhere ${chosen ? 'flex-1' : 'mt-1 rounded-part border border-line-strong bg-card px-3.5 py-1.5 text-sm shadow-lift'}`}
            >
              {chosen ? chosen.file.name : texts.choose}
            </span>
            <span className="text-sm text-soft">
              {chosen ? (
                texts.chooseOther
              ) : (
                <>
                  <span className="max-sm:hidden">{texts.dropHint}</span> {texts.chooseHint}
                </>
              )}
            </span>
            <input
              type="file"
              accept=".csv,.tsv,.txt,text/csv"
              className="sr-only"
              onChange={(event) => void chooseFile(event.target.files)}
            />
          </label>
          {!chosen && <SampleFile />}
          {chosen?.problem && <Problem error={new Error(chosen.problem)} />}
          {chosen && !chosen.problem && (
            <Review key={chosen.file.name} chosen={chosen} onStarted={(job) => changeSearch({ job })} />
          )}
        </div>
      )}
    </Page>
  )
}

function SampleFile() {
  const { columns, rows } = previewCsv(SAMPLE, SAMPLE_ROWS)
  return (
    <Card
      title={texts.example}
      lead={texts.exampleLead}
      flush
      actions={
        <Button
          kind="quiet"
          className="-mr-3.5 max-sm:-ml-3"
          onClick={() => saveFile('contacts.csv', new Blob([SAMPLE], { type: 'text/csv' }))}
        >
          <Download aria-hidden /> {texts.sample}
        </Button>
      }
    >
      <Table label={texts.example} head={columns.map((name) => (name === NOT_ON_PHONE ? { wide: name } : name))}>
        {rows.map((row) => (
          <Row key={row[0]}>
            {row.map((value, i) => (
              <Cell key={columns[i]} wide={columns[i] === NOT_ON_PHONE}>
                {value}
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
    </Card>
  )
}

/** What the columns become and what will change, before the file is uploaded. */
function Review({ chosen, onStarted }: { chosen: ChosenFile; onStarted(jobId: string): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const { run, busy, problem } = useAction()
  const { columns, rows } = chosen.preview
  const { data: known, isPending } = useContactFields()
  const [edited, setEdited] = useState<Target[]>()
  const [perHour, setPerHour] = useState<number>()
  const targets =
    edited ??
    guessMapping(
      columns,
      rows,
      (known ?? []).filter(({ isCustom }) => isCustom),
    )
  const mappingProblem = findMappingProblem(targets)
  const startImport = async () => {
    const options = perHour === undefined ? {} : { confirmationsPerHour: perHour }
    const done = await run(api.contacts.import(chosen.content, chosen.file.name, toMapping(targets), options))
    if (!done) return
    onStarted(done.data.jobId)
    void queries.invalidateQueries({ queryKey: [projectId, 'contacts'] })
  }
  if (isPending) return <Loading />
  return (
    <>
      {chosen.isConverted && <p className="text-sm text-soft">{texts.converted}</p>}
      <MappingTable targets={targets} rows={rows} onChange={setEdited} />
      {mappingProblem ? (
        <p role="alert" className="text-sm text-bad">
          {describeProblem(mappingProblem)}
        </p>
      ) : (
        <ImportEffect targets={targets} rows={rows} />
      )}
      <ConfirmationOption perHour={perHour} onChange={setPerHour} />
      {problem && <Problem error={problem} />}
      <Button
        kind="primary"
        busy={busy}
        disabled={mappingProblem !== undefined || !isRate(perHour)}
        onClick={() => void startImport()}
      >
        {texts.start}
      </Button>
    </>
  )
}

/** Confirmation emails are sent once a minute. */
const CONFIRMATIONS_POLL_MS = 15_000

function ImportProgress({ jobId, onAgain }: { jobId: string; onAgain(): void }) {
  const { projectId, api } = useApi()
  const { data: job, error } = useJob(
    [projectId, 'import', jobId],
    () => unwrap(api.contacts.getImport(jobId)),
    ({ confirmations }) => (confirmations?.waiting ? CONFIRMATIONS_POLL_MS : false),
  )
  return (
    <div className="space-y-5">
      <Card>
        {error ? (
          <Problem error={error} />
        ) : (
          <Progress
            percent={job?.progress ?? 0}
            label={job?.status === 'COMPLETED' ? texts.completed : texts.running}
          />
        )}
        {job?.status === 'FAILED' && <Problem error={new Error(job.error ?? texts.failed)} />}
        {job?.result && <Outcome result={job.result} />}
      </Card>
      {job?.confirmations && job.result && <ConfirmationProgress confirmations={job.confirmations} />}
      {job?.result && job.result.errors.length > 0 && <RowErrors result={job.result} />}
      {(hasEnded(job) || error) && (
        <div className="flex gap-2">
          <LinkButton kind="primary" to={projectPage(projectId, 'contacts')}>
            {texts.viewContacts}
          </LinkButton>
          <Button onClick={onAgain}>{texts.another}</Button>
        </div>
      )}
    </div>
  )
}

type ImportResult = NonNullable<Schemas['ImportJob']['result']>

function Outcome({ result }: { result: ImportResult }) {
  const counts: [string, number][] = [
    [texts.rows, result.totalRows],
    [texts.created, result.createdCount],
    [texts.updated, result.updatedCount],
    [texts.unchanged, result.unchangedCount],
    [texts.failures, result.failureCount],
  ]
  return (
    <dl className="mt-5 grid grid-cols-2 gap-4 sm:grid-cols-5">
      {counts.map(([name, count]) => (
        <div key={name}>
          <dt className="text-sm text-soft">{name}</dt>
          <dd className={`figures text-xl font-semibold ${name === texts.failures && count > 0 ? 'text-bad' : ''}`}>
            {formatNumber(count)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const { column } = texts

const RowErrors = ({ result }: { result: ImportResult }) => (
  <Card
    title={texts.skippedTitle}
    lead={
      result.failureCount > result.errors.length
        ? texts.skippedSome(result.errors.length, result.failureCount)
        : texts.skippedLead
    }
    flush
  >
    <Table label={texts.skippedTitle} head={[{ number: column.row }, column.email, column.reason]}>
      {result.errors.map((item) => (
        <Row key={item.row}>
          <NumberCell>{formatNumber(item.row)}</NumberCell>
          <Cell>{item.email ?? sharedTexts.missing}</Cell>
          <Cell>{item.error}</Cell>
        </Row>
      ))}
    </Table>
  </Card>
)
