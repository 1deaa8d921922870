/** Products or other items from the data of the email, one below the other. */
import { ShoppingBag } from 'lucide-react'
import { Checkbox } from '../../../ui/field.tsx'
import { useCanvas } from '../../document/editing.ts'
import { ListFields, VariableField } from '../../fields.tsx'
import { lineColor, softColor } from '../../look.ts'
import { texts } from '../../texts.ts'
import type { BlockDefinition, BlockProps } from '../block.ts'

const T = texts.blocks.items
const SHOWN = 2
const FIELDS = ['text', 'price', 'image', 'url'] as const

function ItemsView({ block }: BlockProps<'items'>) {
  const { look } = useCanvas()
  return (
    <div style={{ fontSize: 15 }}>
      {Array.from({ length: SHOWN }, (_, i) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: examples
          key={i}
          style={{
            display: 'flex',
            gap: 16,
            padding: block.lines ? '14px 0' : '8px 0',
            borderBottom: block.lines ? `1px solid ${lineColor(look)}` : undefined,
            opacity: i === 0 ? 1 : 0.75,
          }}
        >
          {block.image && <div className="size-16 shrink-0 rounded-part bg-panel" />}
          <div style={{ flex: 1, minWidth: 0 }}>
            <p style={{ fontWeight: 600, color: block.url ? look.linkColor : undefined }}>
              {T.example(block.list, block.title)}
            </p>
            {block.text && (
              <p style={block.lines ? { fontSize: 14, color: softColor(look) } : {}}>
                {T.example(block.list, block.text)}
              </p>
            )}
          </div>
          {block.price && <p style={{ fontWeight: 600 }}>{block.price}</p>}
        </div>
      ))}
    </div>
  )
}

function ItemsForm({ block, set }: BlockProps<'items'>) {
  return (
    <ListFields block={block} set={set}>
      <VariableField
        label={T.fields.title}
        value={block.title}
        onChange={(title) => set({ title: title ?? block.title })}
      />
      {FIELDS.map((name) => (
        <VariableField
          key={name}
          label={T.fields[name]}
          value={block[name]}
          isOptional
          onChange={(value) => set({ [name]: value })}
        />
      ))}
      <Checkbox
        label={T.lines}
        checked={block.lines ?? false}
        onChange={(event) => set({ lines: event.target.checked || undefined })}
      />
    </ListFields>
  )
}

export const items: BlockDefinition<'items'> = {
  title: T.title,
  icon: ShoppingBag,
  create: () => ({ list: 'items', title: 'name', price: 'price' }),
  summary: ({ list }) => list,
  View: ItemsView,
  Form: ItemsForm,
}
