/** The columns of a file: their first values, what each becomes, and the type of its values. */

import { Cell, Row, Table } from '../../lists/table.tsx'
import { Card } from '../../shell/page.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { type CellType, type MappingProblem, newField, type Target } from './guess-mapping.ts'
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
    onChange(targets.map((target, i) => (i === at ? { ...target, ...changes } : target)))
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

const samplesOf = (rows: string[][], at: number) =>
  rows
    .map((row) => row[at])
    .filter(Boolean)
    .slice(0, SAMPLES)
    .join(', ')

/** What a column becomes. On a phone, the kind of field has a line of its own. */
function TargetFields({ target, onChange }: { target: Target; onChange(changes: Partial<Target>): void }) {
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
      {isData(target.field) && (
        <>
          <Input
            label={texts.mapping.nameOf(target.column)}
            hideLabel
            placeholder={texts.mapping.namePlaceholder}
            value={target.field.slice('data.'.length)}
            onChange={(event) => onChange({ field: `data.${event.target.value}` })}
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
