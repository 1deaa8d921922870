/** A field for a color: the browser's color picker beside what is entered. */
import type { ReactNode } from 'react'
import { colorTexts } from '../shell/texts.ts'

interface ColorInputProps {
  label: string
  /** The color that the picker shows. */
  color: string
  onPick(color: string): void
  /** The text field, and buttons after it. */
  children: ReactNode
}

export const isColor = (text: string | undefined): boolean => /^#[0-9a-f]{6}$/i.test(text ?? '')

export const ColorInput = ({ label, color, onPick, children }: ColorInputProps) => (
  <div>
    <p aria-hidden className="mb-1.5 text-sm font-medium">
      {label}
    </p>
    <div className="grid auto-cols-auto grid-flow-col grid-cols-[2.25rem_minmax(0,1fr)] gap-1.5">
      <input
        type="color"
        aria-label={colorTexts.pick(label)}
        value={color}
        onChange={(event) => onPick(event.target.value)}
        className="size-9 cursor-pointer rounded-part border border-line-strong bg-card p-1"
      />
      {children}
    </div>
  </div>
)
