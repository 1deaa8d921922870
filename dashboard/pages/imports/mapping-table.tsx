/** The columns of a file: their first values, what each becomes, and the type of its values. */

import { useCustomFields } from '../../data/use-contact-facts.ts'
import { Cell, Row, Table } from '../../lists/table.tsx'
import { Combobox } from '../../pickers/combobox.tsx'
import { Card } from '../../shell/page.tsx'
import { Select } from '../../ui/field.tsx'
import { type CellType, type MappingProblem, newField, type Target, wordsOf } from './guess-mapping.ts'
import { texts } from './texts.ts'

const SAMPLES = 3

const isData = (field: string) => field.startsWith('data.')

export function describeProblem(problem: MappingProblem): string {
  return problem.kind === 'no-email'
    ? texts.mapping.problems['no-email']
    : texts.mapping.problems[problem.kind](problem.column)
}

interface MappingProps {
  targets: Target[]
  rows: string[][]
  onChange(targets: Target[]): void
}

export function MappingTable({ targets, rows, onChange }: MappingProps) {
  const { column } = texts.mapping
  const change = (at: number, changes: Partial<Target>) =>
    onChange(targets.map((target, i) => (i === at ? withWords({ ...target, ...changes }, rows, i) : target)))
  return (
    <Card title={texts.mapping.title} lead={texts.mapping.lead} flush>
      <Table
        label={texts.mapping.label}
        head={[
          { wide: column.name },
          { wide: column.samples },
          <>
            <span className="max-sm:hidden">{column.field}</span>
            <span className="sm:hidden">{column.name}</span>
          </>,
        ]}
      >
        {targets.map((target, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move, and may have no name.
          <Row key={i} muted={target.field === ''}>
            <Cell wide className="font-medium wrap-anywhere">
              {target.column}
            </Cell>
            <Cell wide className="max-w-56 truncate text-soft">
              {samplesOf(rows, i)}
            </Cell>
            <Cell className="max-sm:w-full max-sm:max-w-0 sm:w-1/2">
              <div className="mb-2 sm:hidden">
                <p className="font-medium wrap-anywhere">{target.column}</p>
                <p className="truncate text-soft">{samplesOf(rows, i)}</p>
              </div>
              <TargetFields target={target} onChange={(changes) => change(i, changes)} />
            </Cell>
          </Row>
        ))}
      </Table>
    </Card>
  )
}

/** Only the column of the subscription has words with a meaning. */
export function withWords(target: Target, rows: string[][], at: number): Target {
  const { values, ...others } = target
  return target.field === 'subscribed' ? { ...others, values: values ?? wordsOf(rows, at) } : others
}

const samplesOf = (rows: string[][], at: number) =>
  rows
    .map((row) => row[at])
    .filter(Boolean)
    .slice(0, SAMPLES)
    .join(', ')

/** What a column becomes. On a phone, the kind of field has a line of its own. */
function TargetFields({ target, onChange }: { target: Target; onChange(changes: Partial<Target>): void }) {
  const known = useCustomFields()
  return (
    <div className="grid grid-cols-2 gap-2 sm:grid-cols-[9rem_9rem_7rem]">
      <div className="max-sm:col-span-2">
        <Select
          label={texts.mapping.fieldOf(target.column)}
          hideLabel
          value={isData(target.field) ? 'data' : target.field}
          options={texts.mapping.choices}
          onChange={({ target: { value } }) => onChange({ field: value === 'data' ? newField(target.column) : value })}
        />
      </div>
      {target.values && (
        <WordFields column={target.column} values={target.values} onChange={(values) => onChange({ values })} />
      )}
      {isData(target.field) && (
        <>
          <Combobox
            free
            label={texts.mapping.nameOf(target.column)}
            hideLabel
            placeholder={texts.mapping.namePlaceholder}
            value={target.field.slice('data.'.length)}
            choices={known.map((name) => ({ value: name, label: name }))}
            onChoose={(name) => onChange({ field: `data.${name}` })}
          />
          <Select
            label={texts.mapping.typeOf(target.column)}
            hideLabel
            value={target.type}
            options={texts.mapping.types}
            onChange={(event) => onChange({ type: event.target.value as CellType })}
          />
        </>
      )}
    </div>
  )
}

const MEANINGS = { true: 'subscribed', false: 'unsubscribed' } as const

interface WordsProps {
  column: string
  values: NonNullable<Target['values']>
  onChange(values: NonNullable<Target['values']>): void
}

/** What each word in the column of the subscription means. */
function WordFields({ column, values, onChange }: WordsProps) {
  const words = Object.keys(values)
  return (
    <fieldset className="col-span-full grid gap-2 sm:grid-cols-2">
      <legend className="sr-only">{texts.mapping.wordsOf(column)}</legend>
      {words.map((word) => (
        <Select
          key={word}
          label={texts.mapping.word(word)}
          value={String(values[word] ?? '')}
          options={{
            ...(values[word] === undefined ? { '': texts.mapping.chooseMeaning } : {}),
            true: texts.mapping[MEANINGS.true],
            false: texts.mapping[MEANINGS.false],
          }}
          onChange={({ target: { value } }) => onChange({ ...values, [word]: value === 'true' })}
        />
      ))}
    </fieldset>
  )
}
