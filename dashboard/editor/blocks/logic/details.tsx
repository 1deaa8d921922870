/** Rows of labels and values, such as the details of an order. A total has a line above it. */
import { ListTree, Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Checkbox, Input } from '../../../ui/field.tsx'
import type { DetailRow } from '../../document/document.ts'
import { useCanvas } from '../../document/editing.ts'
import { lineColor, softColor } from '../../look.ts'
import { texts } from '../../texts.ts'
import type { BlockDefinition, BlockProps } from '../block.ts'

const T = texts.blocks.details
const ROWS_MAX = 30

function DetailsView({ block }: BlockProps<'details'>) {
  const { look } = useCanvas()
  return (
    <div style={{ fontSize: 15, color: look.textColor }}>
      {block.rows.map(({ label, value, bold }, i) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
          key={i}
          style={{
            display: 'flex',
            justifyContent: 'space-between',
            gap: 16,
            padding: bold && i > 0 ? '12px 0 5px' : '5px 0',
            borderTop: bold && i > 0 ? `1px solid ${lineColor(look)}` : undefined,
            fontWeight: bold ? 700 : 400,
          }}
        >
          <span style={{ color: bold ? undefined : softColor(look) }}>{label}</span>
          <span style={{ textAlign: 'right', fontWeight: bold ? 700 : 600, overflowWrap: 'anywhere' }}>{value}</span>
        </div>
      ))}
      {block.rows.length === 0 && <span style={{ opacity: 0.8 }}>{T.empty}</span>}
    </div>
  )
}

function DetailsForm({ block: { rows }, set }: BlockProps<'details'>) {
  const setRow = (at: number, changes: Partial<DetailRow>) =>
    set({ rows: rows.map((row, i) => (i === at ? { ...row, ...changes } : row)) })
  return (
    <>
      {rows.map((row, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
        <fieldset key={i} className="space-y-2 rounded-part border border-line p-3">
          <legend className="px-1 text-[0.8125rem] text-soft">{T.row(i + 1)}</legend>
          <div className="flex items-end gap-1">
            <div className="flex-1">
              <Input
                label={T.label}
                value={row.label}
                maxLength={200}
                onChange={(event) => setRow(i, { label: event.target.value })}
              />
            </div>
            <IconButton label={T.remove(i + 1)} onClick={() => set({ rows: rows.filter((_, n) => n !== i) })}>
              <Trash2 />
            </IconButton>
          </div>
          <Input
            label={T.value}
            value={row.value}
            maxLength={500}
            spellCheck={false}
            onChange={(event) => setRow(i, { value: event.target.value })}
          />
          <Checkbox
            label={T.bold}
            checked={row.bold ?? false}
            onChange={(event) => setRow(i, { bold: event.target.checked })}
          />
        </fieldset>
      ))}
      {rows.length < ROWS_MAX && (
        <Button onClick={() => set({ rows: [...rows, { label: T.newLabel, value: '' }] })}>
          <Plus aria-hidden /> {T.add}
        </Button>
      )}
    </>
  )
}

export const details: BlockDefinition<'details'> = {
  title: T.title,
  icon: ListTree,
  create: () => ({ rows: [{ label: T.newLabel, value: '{{ order.total }}' }] }),
  summary: ({ rows }) => rows.map(({ label }) => label).join(', '),
  View: DetailsView,
  Form: DetailsForm,
}
