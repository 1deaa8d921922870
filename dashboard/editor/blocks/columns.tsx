/** One to four columns side by side; on phones they are stacked. */
import { Columns2 } from 'lucide-react'
import { Checkbox, Select } from '../../ui/field.tsx'
import { type Card, newId } from '../document/document.ts'
import { CanvasContext, useCanvas } from '../document/editing.ts'
import { withColumnCount } from '../document/edits.ts'
import { NumberField } from '../fields.tsx'
import { cardOf } from '../look.ts'
import { texts } from '../texts.ts'
import type { BlockDefinition, BlockProps, ViewProps } from './block.ts'

const T = texts.blocks.columns

function ColumnsView({ block, renderList }: ViewProps<'columns'>) {
  const canvas = useCanvas()
  const { isPhone, look } = canvas
  const card = block.card && cardOf(block.card, look)
  const isStacked = isPhone && (block.stack ?? true)
  const share = sharedWidth(block.columns)
  return (
    <div style={{ display: 'flex', flexDirection: isStacked ? 'column' : 'row' }}>
      {block.columns.map(({ id, width, blocks }, i) => (
        <div key={id} style={isStacked ? {} : { width: `${width ?? share}%`, minWidth: 0 }}>
          {card ? (
            <CanvasContext value={{ ...canvas, look: card.look }}>
              <div style={card.style}>{renderList(id, blocks, T.column(i + 1))}</div>
            </CanvasContext>
          ) : (
            renderList(id, blocks, T.column(i + 1))
          )}
        </div>
      ))}
    </div>
  )
}

/** Columns without a width share the remaining space. */
function sharedWidth(columns: readonly { width?: number }[]): number {
  const given = columns.reduce((sum, { width = 0 }) => sum + width, 0)
  return Math.max(0, 100 - given) / Math.max(1, columns.filter(({ width }) => width === undefined).length)
}

function ColumnsForm({ block, set }: BlockProps<'columns'>) {
  return (
    <>
      <Select
        label={T.count}
        value={block.columns.length}
        options={T.counts}
        onChange={(event) => set({ columns: withColumnCount(block.columns, Number(event.target.value)) })}
      />
      {block.columns.length > 1 && (
        <div className="grid grid-cols-2 gap-3">
          {block.columns.map(({ id, width }, at) => (
            <NumberField
              key={id}
              label={T.width(at + 1)}
              value={width}
              min={5}
              max={95}
              onChange={(next) =>
                set({
                  columns: block.columns.map((one, i) =>
                    i === at ? { id, blocks: one.blocks, ...(next === undefined ? {} : { width: next }) } : one,
                  ),
                })
              }
            />
          ))}
        </div>
      )}
      <Select
        label={T.card}
        value={block.card ?? ''}
        options={T.cards}
        onChange={(event) => set({ card: (event.target.value || undefined) as Card | undefined })}
      />
      <Checkbox
        label={T.stack}
        checked={block.stack ?? true}
        onChange={(event) => set({ stack: event.target.checked ? undefined : false })}
      />
    </>
  )
}

export const columns: BlockDefinition<'columns'> = {
  title: T.title,
  icon: Columns2,
  create: () => ({
    columns: [
      { id: newId(), blocks: [] },
      { id: newId(), blocks: [] },
    ],
  }),
  summary: (block) => T.counts[block.columns.length as 1 | 2 | 3 | 4],
  View: ColumnsView,
  Form: ColumnsForm,
}
