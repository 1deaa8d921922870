/** Imports a CSV file: columns, what will change, upload, progress, and the rows that were skipped. */
import { useQueryClient } from '@tanstack/react-query'
import { Download, FileSpreadsheet } from 'lucide-react'
import { type DragEvent, useMemo, useState } from 'react'
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
import { Checkbox, Select } from '../../ui/field.tsx'
import { ConfirmationProgress, ConfirmationRate, isRate, PER_HOUR_AT_FIRST } from './confirmations.tsx'
import { columnsOf, readCsv } from './csv-preview.ts'
import { ImportEffect } from './effect.tsx'
import {
  findMappingProblem,
  guessMapping,
  statusColumns,
  type Target,
  toMapping,
  unclearWords,
} from './guess-mapping.ts'
import { describeProblem, MappingTable, withWords } from './mapping-table.tsx'
import { moveTexts } from './move-texts.ts'
import { StatusQuestion } from './status-question.tsx'
import { texts } from './texts.ts'
import { type ChosenFile, type NewContacts, optionsOf, readFile } from './upload.ts'

const SAMPLE = 'email,firstName,plan,subscribed\nada@example.com,Ada,pro,yes\ngrace@example.com,Grace,free,no\n'
const NOT_ON_PHONE = 'plan'

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
            <Review
              key={`${chosen.file.name} ${chosen.file.lastModified}`}
              chosen={chosen}
              onStarted={(job) => changeSearch({ job })}
            />
          )}
        </div>
      )}
    </Page>
  )
}

function SampleFile() {
  const { columns, rows } = columnsOf(readCsv(SAMPLE), true)
  return (
    <Card
      title={texts.example}
      lead={texts.exampleLead}
      flush
      actions={
        <Button
          kind="quiet"
          className="-me-3.5 max-sm:-ms-3"
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

/** What the columns become and what will change, before anything is imported. */
function Review({ chosen, onStarted }: { chosen: ChosenFile; onStarted(jobId: string): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const { run, busy, problem } = useAction()
  const [hasHeader, setHasHeader] = useState(chosen.csv.hasHeader)
  const { data: known, isPending } = useContactFields()
  const [edited, setEdited] = useState<Target[]>()
  const [newContacts, setNewContacts] = useState<NewContacts>('subscribed')
  const [perHour, setPerHour] = useState(PER_HOUR_AT_FIRST)
  /** Columns that look like a status, but are something else. */
  const [otherColumns, setOtherColumns] = useState<number[]>([])
  const { columns, rows } = useMemo(() => columnsOf(chosen.csv, hasHeader), [chosen, hasHeader])
  const guessed = useMemo(
    () =>
      guessMapping(
        columns,
        rows,
        (known ?? []).filter(({ isCustom }) => isCustom),
        texts.mapping.place,
      ),
    [columns, rows, known],
  )
  const targets = edited ?? guessed
  const mappingProblem = findMappingProblem(targets)
  const asked = statusColumns(targets).find((at) => !otherColumns.includes(at))
  const isUnclear = unclearWords(targets).length > 0
  const hasRate = newContacts !== 'confirm' || isRate(perHour)
  const upload = {
    file: chosen.content,
    name: chosen.file.name,
    mapping: toMapping(targets, rows),
    options: optionsOf(newContacts, perHour, hasHeader),
  }
  const startImport = async () => {
    const done = await run(api.contacts.import(upload.file, upload.name, upload.mapping, upload.options))
    if (!done) return
    onStarted(done.data.jobId)
    void queries.invalidateQueries({ queryKey: [projectId, 'contacts'] })
  }
  const importAsStatus = (at: number) =>
    setEdited(targets.map((target, i) => (i === at ? withWords({ ...target, field: 'subscribed' }, rows, i) : target)))
  if (isPending) return <Loading />
  return (
    <>
      {chosen.isConverted && <p className="text-sm text-soft">{texts.converted}</p>}
      <Checkbox
        label={texts.hasHeader}
        checked={hasHeader}
        onChange={(event) => {
          setHasHeader(event.target.checked)
          setEdited(undefined)
          setOtherColumns([])
        }}
      />
      <MappingTable targets={targets} rows={rows} onChange={setEdited} />
      {mappingProblem && (
        <p role="alert" className="text-sm text-bad">
          {describeProblem(mappingProblem)}
        </p>
      )}
      {asked !== undefined && (
        <StatusQuestion
          column={targets[asked]!.column}
          onYes={() => importAsStatus(asked)}
          onNo={() => setOtherColumns([...otherColumns, asked])}
        />
      )}
      {isUnclear && (
        <p role="alert" className="text-sm text-bad">
          {texts.mapping.unclear}
        </p>
      )}
      {!mappingProblem && hasRate && (
        <ImportEffect
          stamp={`${chosen.file.name} ${chosen.file.lastModified} ${chosen.file.size}`}
          upload={upload}
          targets={targets}
        />
      )}
      {problem && <Problem error={problem} />}
      <div className="space-y-4">
        {newContacts === 'confirm' && <ConfirmationRate perHour={perHour} onChange={setPerHour} />}
        <div className="flex flex-wrap items-end gap-3">
          <div className="w-72 max-w-full">
            <Select
              label={texts.newContacts.label}
              value={newContacts}
              options={texts.newContacts.choices}
              onChange={(event) => setNewContacts(event.target.value as NewContacts)}
            />
          </div>
          <Button
            kind="primary"
            busy={busy}
            disabled={mappingProblem !== undefined || asked !== undefined || isUnclear || !hasRate}
            onClick={() => void startImport()}
          >
            {texts.start}
          </Button>
        </div>
      </div>
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
      {job?.result && job.result.errors.length > 0 && (
        <RowProblems title={texts.skippedTitle} lead={skippedLead(job.result)} problems={job.result.errors} />
      )}
      {job?.result?.warnings && (
        <RowProblems
          title={texts.leftOutTitle}
          lead={texts.leftOutLead(job.result.warningCount ?? 0)}
          problems={job.result.warnings}
        />
      )}
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

const skippedLead = ({ failureCount, errors }: ImportResult) =>
  failureCount > errors.length ? texts.skippedSome(errors.length, failureCount) : texts.skippedLead

interface ProblemsProps {
  title: string
  lead: string
  problems: ImportResult['errors']
}

const RowProblems = ({ title, lead, problems }: ProblemsProps) => (
  <Card title={title} lead={lead} flush>
    <Table label={title} head={[{ number: column.row }, column.email, column.reason]}>
      {problems.map((item) => (
        <Row key={`${item.row} ${item.error}`}>
          <NumberCell>{formatNumber(item.row)}</NumberCell>
          <Cell>{item.email ?? sharedTexts.missing}</Cell>
          <Cell>{item.error}</Cell>
        </Row>
      ))}
    </Table>
  </Card>
)
