/** A link that looks like a button. */
import { RectangleHorizontal } from 'lucide-react'
import { Checkbox } from '../../ui/field.tsx'
import { useCanvas } from '../document/editing.ts'
import { AlignField, CheckedInput, ColorField, NO_URL, NumberField, UrlField } from '../fields.tsx'
import { alignment, textColorOn } from '../look.ts'
import { texts } from '../texts.ts'
import type { BlockDefinition, BlockProps } from './block.ts'

const T = texts.blocks.button
const RADIUS = 6

function ButtonView({ block }: BlockProps<'button'>) {
  const { look } = useCanvas()
  const color = block.color ?? look.buttonColor
  return (
    <div style={alignment(block.align ?? 'center')}>
      <span
        style={{
          display: 'inline-block',
          width: block.fullWidth ? '100%' : undefined,
          textAlign: 'center',
          padding: '12px 24px',
          fontSize: 16,
          lineHeight: 1.25,
          fontWeight: 600,
          borderRadius: block.radius ?? RADIUS,
          background: color,
          border: block.borderColor ? `1px solid ${block.borderColor}` : undefined,
          color: block.textColor ?? textColorOn(color),
        }}
      >
        {block.label}
      </span>
    </div>
  )
}

function ButtonForm({ block, set }: BlockProps<'button'>) {
  const { look } = useCanvas()
  return (
    <>
      <CheckedInput
        label={T.label}
        value={block.label}
        maxLength={200}
        check={(text) => (text === '' ? texts.fields.required : undefined)}
        onChange={(label) => set({ label })}
      />
      <UrlField label={T.url} value={block.url} onChange={(url) => set({ url: url ?? NO_URL })} />
      <AlignField value={block.align} fallback="center" onChange={(align) => set({ align })} />
      <Checkbox
        label={T.fullWidth}
        checked={block.fullWidth ?? false}
        onChange={(event) => set({ fullWidth: event.target.checked || undefined })}
      />
      <ColorField
        label={T.color}
        value={block.color}
        fallback={look.buttonColor}
        onChange={(color) => set({ color })}
      />
      <ColorField
        label={texts.fields.textColor}
        value={block.textColor}
        fallback={textColorOn(block.color ?? look.buttonColor)}
        onChange={(textColor) => set({ textColor })}
      />
      <ColorField
        label={T.borderColor}
        value={block.borderColor}
        fallback={block.color ?? look.buttonColor}
        onChange={(borderColor) => set({ borderColor })}
      />
      <NumberField
        label={T.radius}
        value={block.radius}
        min={0}
        max={50}
        fallback={RADIUS}
        onChange={(radius) => set({ radius })}
      />
    </>
  )
}

export const button: BlockDefinition<'button'> = {
  title: T.title,
  icon: RectangleHorizontal,
  create: () => ({ label: T.defaultLabel, url: NO_URL }),
  summary: ({ label }) => label,
  View: ButtonView,
  Form: ButtonForm,
}
