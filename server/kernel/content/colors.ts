/** Colors as mail clients show them: reading, mixing and comparing them. The contrast is that of WCAG 2. */

export type Rgb = [number, number, number]

const NAMED = new Map<string, Rgb>(
  Object.entries({
    black: [0, 0, 0],
    white: [255, 255, 255],
    gray: [128, 128, 128],
    grey: [128, 128, 128],
    silver: [192, 192, 192],
    red: [255, 0, 0],
    blue: [0, 0, 255],
    green: [0, 128, 0],
    yellow: [255, 255, 0],
    orange: [255, 165, 0],
  }),
)

export function parseColor(text: string): Rgb | undefined {
  const value = text.trim().toLowerCase()
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(value)?.[1]
  if (hex) {
    const long = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex
    return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16)) as Rgb
  }
  const parts = /^rgb\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*\)$/.exec(value)
  if (parts) return parts.slice(1).map((channel) => Math.min(255, Number(channel))) as Rgb
  return NAMED.get(value)
}

export const hexOf = (rgb: Rgb): string => `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`

function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrastRatio(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** The color that is the given share of the way from one color to another. */
export const mixRgb = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((channel, i) => Math.round(channel + (to[i]! - channel) * share)) as Rgb

/** Mixes colors in the form `#rrggbb`. */
export const mixColors = (from: string, to: string, share: number): string =>
  hexOf(mixRgb(parseColor(from)!, parseColor(to)!, share))

/** Black or white, whichever is easier to read on the color. */
export const textColorOn = (color: string): '#000000' | '#ffffff' =>
  luminance(parseColor(color)!) > 0.179 ? '#000000' : '#ffffff'
