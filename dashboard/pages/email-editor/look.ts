/** How the canvas shows an email: the settings of the document, and the defaults that the server compiles with. */
import type { CSSProperties } from 'react'
import type { Align, Block, Settings } from './document.ts'

const FONTS: Record<NonNullable<Settings['font']>, string> = {
  sans: "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
  serif: "Georgia, Cambria, 'Times New Roman', Times, serif",
  rounded: "'SF Pro Rounded', Nunito, 'Trebuchet MS', Verdana, sans-serif",
  mono: "'SF Mono', Menlo, Consolas, 'Courier New', monospace",
}

export interface Look {
  width: number
  background: string
  contentBackground: string
  textColor: string
  linkColor: string
  buttonColor: string
  font: string
}

const BLUE = '#1d4ed8'

export const lookOf = (settings: Settings = {}, brandColor: string | null): Look => ({
  width: settings.width ?? 600,
  background: settings.background ?? '#f3f4f6',
  contentBackground: settings.contentBackground ?? '#ffffff',
  textColor: settings.textColor ?? '#1f2937',
  linkColor: settings.linkColor ?? brandColor ?? BLUE,
  buttonColor: brandColor ?? BLUE,
  font: FONTS[settings.font ?? 'sans'],
})

/** The alignment of a block, and the one that it has without a setting. */
export const alignOf = (block: Block): { align: Align; fallback: Align } => {
  const fallback = block.type === 'heading' || block.type === 'text' ? 'left' : 'center'
  return { align: ('align' in block && block.align) || fallback, fallback }
}

export const alignment = (align: CSSProperties['textAlign']): CSSProperties => ({
  display: 'flex',
  justifyContent: align === 'right' ? 'flex-end' : align === 'left' ? 'flex-start' : 'center',
})

const channel = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

/** Black or white, depending on which has more contrast, as the server chooses it. */
export function textColorOn(background: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    channel(Number.parseInt(background.slice(at, at + 2), 16) / 255),
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}
