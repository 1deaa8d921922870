/** Moves contacts and more from another service: files, a preview of what would change, and a report. */
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { move, openFiles, type Report } from '../../../movers/move.ts'
import { summaryLines } from '../../../movers/report.ts'
import { SOURCES } from '../../../movers/sources.ts'
import { targetOf } from '../../../movers/target.ts'
import { projectPage } from '../../addresses.ts'
import { useApi } from '../../data/project.ts'
import { useUnsaved } from '../../data/unsaved.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Cell, Row, Table } from '../../lists/table.tsx'
import { Card, Page } from '../../shell/page.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Checkbox, Input, Select } from '../../ui/field.tsx'
import { moveTexts as T } from './move-texts.ts'
import { texts } from './texts.ts'

const SERVICES = Object.fromEntries(SOURCES.map(({ id, title }) => [id, title]))

const contactsIn = ({ contacts }: Report) => contacts.created + contacts.updated + contacts.unchanged + contacts.failed

interface Run {
  dryRun: boolean
  contacts: number
}

export function MovePage() {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const [service, setService] = useState(SOURCES[0]!.id)
  const [files, setFiles] = useState<File[]>([])
  const [subscribe, setSubscribe] = useState(false)
  const [from, setFrom] = useState('')
  const [running, setRunning] = useState<Run>()
  const [report, setReport] = useState<Report>()
  const [error, setError] = useState<unknown>()
  const [isConfirming, setConfirming] = useState(false)
  const stopping = useRef(new AbortController())
  useUnsaved(running?.dryRun === false)
  useEffect(() => () => stopping.current.abort(), [])
  const source = SOURCES.find(({ id }) => id === service)!
  const reset = () => {
    setReport(undefined)
    setError(undefined)
  }

  const run = async (dryRun: boolean) => {
    reset()
    setRunning({ dryRun, contacts: 0 })
    stopping.current = new AbortController()
    try {
      const opened = await openFiles(files.map((file) => ({ name: file.name, blob: file })))
      const done = await move({
        source,
        input: { files: opened, subscribe },
        target: targetOf(api),
        dryRun,
        from: from.trim() || undefined,
        signal: stopping.current.signal,
        onProgress: ({ report: soFar }) => setRunning({ dryRun, contacts: contactsIn(soFar) }),
      })
      setReport(done)
      if (!dryRun) void queries.invalidateQueries({ queryKey: [projectId] })
    } catch (failure) {
      if (!stopping.current.signal.aborted) setError(failure)
    }
    setRunning(undefined)
  }
  const previewChanges = (event: FormEvent) => {
    event.preventDefault()
    void run(true)
  }

  return (
    <Page title={T.title} lead={T.lead} back={{ to: projectPage(projectId, 'contacts/import'), label: T.back }}>
      <div className="space-y-5">
        <Card>
          <form onSubmit={previewChanges} className="max-w-lg pt-1.5">
            <fieldset disabled={running !== undefined} className="space-y-4">
              <legend className="sr-only">{T.title}</legend>
              <Select
                label={T.service}
                value={service}
                options={SERVICES}
                onChange={(event) => {
                  setService(event.target.value)
                  reset()
                }}
              />
              <Input
                label={T.files}
                hint={T.filesOf(source.files)}
                type="file"
                multiple
                required
                accept=".csv,.zip,.json,.sql,.html"
                onChange={(event) => {
                  setFiles([...(event.target.files ?? [])])
                  reset()
                }}
              />
              <Input
                label={T.from}
                hint={T.fromHint}
                type="email"
                value={from}
                onChange={(event) => setFrom(event.target.value)}
              />
              <Checkbox
                label={T.subscribe}
                hint={T.subscribeHint}
                checked={subscribe}
                onChange={(event) => {
                  setSubscribe(event.target.checked)
                  reset()
                }}
              />
              <Button kind={report ? 'plain' : 'primary'} type="submit" busy={running?.dryRun === true}>
                {T.check}
              </Button>
            </fieldset>
          </form>
        </Card>
        {running && (
          <p role="status" className="text-sm text-soft">
            {running.dryRun ? T.checking(running.contacts) : T.moving(running.contacts)}
          </p>
        )}
        {error !== undefined && <Problem error={error} />}
        {report && (
          <ReportCard
            report={report}
            actions={
              report.dryRun ? (
                <Button kind="primary" onClick={() => setConfirming(true)}>
                  {T.start}
                </Button>
              ) : (
                <LinkButton to={projectPage(projectId, 'contacts')}>{texts.viewContacts}</LinkButton>
              )
            }
          />
        )}
        {report && report.problems.length > 0 && <Problems report={report} />}
      </div>
      <Confirm
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={T.confirmTitle(report ? contactsIn(report) : 0)}
        action={T.start}
        harmless
        onConfirm={async () => void run(false)}
      >
        {T.confirm}
      </Confirm>
    </Page>
  )
}

function ReportCard({ report, actions }: { report: Report; actions: React.ReactNode }) {
  return (
    <Card
      title={report.dryRun ? T.preview : T.completed}
      lead={report.dryRun ? T.previewLead : T.completedLead}
      actions={actions}
    >
      <ul className="list-outside list-disc ps-4 text-sm marker:text-soft">
        {summaryLines(report).map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Problems({ report }: { report: Report }) {
  return (
    <Card title={T.problems(report.problemCount)} lead={T.problemsLead} flush>
      <Table
        label={T.problems(report.problemCount)}
        head={[T.problem.entry, T.problem.reason, { wide: T.problem.place }]}
      >
        {report.problems.map(({ file, line, what, error }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a report doesn't change.
          <Row key={i}>
            <Cell className="max-w-56 truncate">{what}</Cell>
            <Cell>{error}</Cell>
            <Cell wide className="max-w-72 truncate text-soft">
              {T.placeOf(file, line)}
            </Cell>
          </Row>
        ))}
      </Table>
    </Card>
  )
}
