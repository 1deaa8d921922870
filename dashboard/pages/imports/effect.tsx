/** What an import will change, from the same validation on the server that the import runs. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useDebounced } from '../../data/use-debounced.ts'
import { formatNumber } from '../../figures/format.ts'
import { Problem } from '../../lists/problem.tsx'
import { Cell, OnPhone, Row, Table } from '../../lists/table.tsx'
import { Card, Loading } from '../../shell/page.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Badge, Subscription, type Tone } from '../../ui/badge.tsx'
import { dottedNames, type Target } from './guess-mapping.ts'
import { texts } from './texts.ts'
import type { Upload } from './upload.ts'

/** Long enough that typing the name of a field doesn't upload the file for each key. */
const DEBOUNCE_MS = 400
const PROBLEMS_SHOWN = 5

type Preview = Schemas['ImportPreview']

const T = texts.effect

/** `stamp` tells files apart. */
export function ImportEffect({ stamp, upload, targets }: { stamp: string; upload: Upload; targets: Target[] }) {
  const { projectId, api } = useApi()
  const { file, name, ...rest } = upload
  const settled = useDebounced(JSON.stringify(rest), DEBOUNCE_MS)
  const { mapping, options } = JSON.parse(settled) as Omit<Upload, 'file' | 'name'>
  const { data, error } = useQuery({
    queryKey: [projectId, 'contacts', 'import-preview', stamp, settled],
    queryFn: () => unwrap(api.contacts.previewImport(file, name, mapping, options)),
    placeholderData: keepPreviousData,
    // Each request uploads the file, and a later import of it has another effect.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  if (error) return <Problem error={error} />
  if (!data) return <Loading />
  const { result } = data
  const problems = [...result.errors, ...(result.warnings ?? [])].slice(0, PROBLEMS_SHOWN)
  return (
    <Card title={T.title} lead={T.lead(result.totalRows)} flush>
      <ul className="list-outside list-disc pe-5 pb-3 ps-9 text-sm marker:text-soft">
        <li>{T.created(result.createdCount)}</li>
        {result.updatedCount > 0 && <li>{T.updated(result.updatedCount)}</li>}
        {result.unchangedCount > 0 && <li>{T.unchanged(result.unchangedCount)}</li>}
        {result.failureCount > 0 && <li className="text-bad">{T.failed(result.failureCount)}</li>}
        {result.warningCount !== undefined && <li className="text-warn">{T.leftOut(result.warningCount)}</li>}
        {problems.map(({ row, error }) => (
          <li key={`${row} ${error}`} className="ms-4 text-soft wrap-anywhere">
            {T.problem(row, error)}
          </li>
        ))}
        {dottedNames(targets).map((field) => (
          <li key={field} className="text-warn wrap-anywhere">
            {T.dotted(field)}
          </li>
        ))}
      </ul>
      <FirstRows rows={data.rows} />
    </Card>
  )
}

const TONES: Record<Preview['rows'][number]['outcome'], Tone> = {
  created: 'good',
  updated: 'info',
  unchanged: 'neutral',
  failed: 'bad',
}

function FirstRows({ rows }: Pick<Preview, 'rows'>) {
  const names = [...new Set(rows.flatMap(({ data }) => Object.keys(data)))]
  return (
    <Table
      label={T.label}
      head={[
        T.result,
        texts.mapping.choices.email,
        { wide: texts.mapping.choices.subscribed },
        ...names.map((name) => ({ wide: name })),
      ]}
    >
      {rows.map(({ row, email, outcome, subscribed, data }) => (
        <Row key={row}>
          <Cell className="max-sm:align-top">
            <Badge tone={TONES[outcome]}>{T.outcomes[outcome]}</Badge>
          </Cell>
          <Cell className="max-sm:w-full max-sm:max-w-0 sm:max-w-72">
            <p className="truncate">{email || <span className="text-soft">{sharedTexts.missing}</span>}</p>
            <OnPhone>
              {subscribed !== null && <Subscription subscribed={subscribed} />}
              {Object.keys(data).map((name) => (
                <p key={name} className="truncate">
                  {T.valueOf(name, shown(data[name]))}
                </p>
              ))}
            </OnPhone>
          </Cell>
          <Cell wide>{subscribed !== null && <Subscription subscribed={subscribed} />}</Cell>
          {names.map((name) => (
            <Cell key={name} wide className="max-w-56 truncate">
              {name in data ? shown(data[name]) : <span className="text-soft">{sharedTexts.missing}</span>}
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  )
}

const shown = (value: unknown): string => (typeof value === 'number' ? formatNumber(value) : String(value))
