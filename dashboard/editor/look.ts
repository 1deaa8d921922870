/** How the canvas shows an email: the settings of the document, and the defaults that the server compiles with. */
import type { CSSProperties } from 'react'
import type { Align, Block, Card, Settings } from './document/document.ts'

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
  padding: number
  margin: number
  radius: number
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
  padding: settings.padding ?? 24,
  margin: settings.margin ?? 0,
  radius: settings.radius ?? 0,
})

/** The alignment of a block, and its default. */
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

/** Mixes two colors in the same way as the server. */
const mixed = (from: string, to: string, share: number) => `color-mix(in srgb, ${to} ${share * 100}%, ${from})`

export const softColor = ({ textColor, contentBackground }: Look) => mixed(textColor, contentBackground, 0.3)
export const lineColor = ({ textColor, contentBackground }: Look) => mixed(contentBackground, textColor, 0.14)

/** How a column looks as a card, and how its blocks look. */
export function cardOf(card: Card, look: Look): { style: CSSProperties; look: Look } {
  const { textColor, contentBackground, buttonColor } = look
  const shape = { margin: '6px 12px', padding: '10px 8px', borderRadius: 10 }
  const filled = (background: string) => ({ ...shape, background, border: `1px solid ${background}` })
  switch (card) {
    case 'border':
      return { style: { ...shape, border: `1px solid ${lineColor(look)}` }, look }
    case 'gray':
      return { style: filled(mixed(contentBackground, textColor, 0.06)), look }
    case 'light':
      return { style: filled(mixed(contentBackground, buttonColor, 0.08)), look }
    case 'brand': {
      const text = textColorOn(buttonColor)
      const inner = { textColor: text, linkColor: text, buttonColor: text, contentBackground: buttonColor }
      return {
        style: { ...filled(buttonColor), color: text, ['--email-link' as string]: text },
        look: { ...look, ...inner },
      }
    }
  }
}
