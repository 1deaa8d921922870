/** The columns of a file: their first values, what each becomes, and the type of its values. */
import { Input, Select } from '../../parts/field.tsx'
import { Card } from '../../parts/page.tsx'
import { Cell, Row, Table } from '../../parts/table.tsx'
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
      <Table label={texts.mapping.label} head={[{ wide: column.name }, { wide: column.samples }, column.field]}>
        {targets.map((target, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move, and may have no name.
          <Row key={i} muted={target.field === ''}>
            <Cell wide className="font-medium wrap-anywhere">
              {target.column}
            </Cell>
            <Cell wide className="max-w-56 truncate text-soft">
              {rows
                .map((row) => row[i])
                .filter(Boolean)
                .slice(0, SAMPLES)
                .join(', ')}
            </Cell>
            <Cell className="sm:w-1/2">
              <p className="mb-1.5 font-medium wrap-anywhere sm:hidden">{target.column}</p>
              <div className="flex flex-wrap gap-2">
                <div className="w-36 max-sm:grow">
                  <Select
                    label={texts.mapping.fieldOf(target.column)}
                    hideLabel
                    value={isData(target.field) ? 'data' : target.field}
                    options={texts.mapping.choices}
                    onChange={({ target: { value } }) =>
                      change(i, { field: value === 'data' ? newField(target.column) : value })
                    }
                  />
                </div>
                {isData(target.field) && (
                  <div className="w-36 max-sm:grow">
                    <Input
                      label={texts.mapping.nameOf(target.column)}
                      hideLabel
                      placeholder={texts.mapping.namePlaceholder}
                      value={target.field.slice('data.'.length)}
                      onChange={(event) => change(i, { field: `data.${event.target.value}` })}
                    />
                  </div>
                )}
                {isData(target.field) && (
                  <div className="w-28 max-sm:grow">
                    <Select
                      label={texts.mapping.typeOf(target.column)}
                      hideLabel
                      value={target.type}
                      options={texts.mapping.types}
                      onChange={(event) => change(i, { type: event.target.value as CellType })}
                    />
                  </div>
                )}
              </div>
            </Cell>
          </Row>
        ))}
      </Table>
    </Card>
  )
}
