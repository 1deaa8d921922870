/** Draws flat pictures from shapes, with smooth edges, as PNG. */
import { crc32, deflateSync } from 'node:zlib'

interface Shape {
  /** Outside of these, nothing is drawn. */
  left: number
  top: number
  right: number
  bottom: number
  /** The distance of a point to the edge, in pixels; negative inside. */
  distance(x: number, y: number): number
}

export interface Layer {
  shape: Shape
  /** `#rrggbb` */
  color: string
}

const FAR = 10_000

// Math.hypot is many times slower.
const length = (x: number, y: number): number => Math.sqrt(x * x + y * y)

export const everywhere: Shape = { left: 0, top: 0, right: FAR, bottom: FAR, distance: () => -1 }

export const circle = (cx: number, cy: number, radius: number): Shape => ({
  left: cx - radius - 1,
  top: cy - radius - 1,
  right: cx + radius + 1,
  bottom: cy + radius + 1,
  distance: (x, y) => length(x - cx, y - cy) - radius,
})

/** A rectangle with round corners, by its left top corner. */
export const box = (left: number, top: number, width: number, height: number, radius = 0): Shape => ({
  left: left - 1,
  top: top - 1,
  right: left + width + 1,
  bottom: top + height + 1,
  distance: (x, y) => {
    const dx = Math.abs(x - left - width / 2) - width / 2 + radius
    const dy = Math.abs(y - top - height / 2) - height / 2 + radius
    return length(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius
  },
})

/** Everything below a curve. */
export const below = (curve: (x: number) => number): Shape => ({ ...everywhere, distance: (x, y) => curve(x) - y })

/** A line along a curve that is nowhere steep. */
export const along = (curve: (x: number) => number, width: number): Shape => ({
  ...everywhere,
  distance: (x, y) => Math.abs(y - curve(x)) - width / 2,
})

/** A line with round ends. */
export const line = (x1: number, y1: number, x2: number, y2: number, width: number): Shape => ({
  left: Math.min(x1, x2) - width,
  top: Math.min(y1, y2) - width,
  right: Math.max(x1, x2) + width,
  bottom: Math.max(y1, y2) + width,
  distance: (x, y) => {
    const [dx, dy] = [x2 - x1, y2 - y1]
    const part = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)))
    return length(x - x1 - part * dx, y - y1 - part * dy) - width / 2
  },
})

const channelsOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

/** The layers one above the other. */
export function draw(width: number, height: number, layers: readonly Layer[]): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height) // each begins with its filter: none
  for (const { shape, color } of layers) paint(rows, width, height, shape, channelsOf(color))
  return encode(width, height, rows)
}

function paint(rows: Buffer, width: number, height: number, shape: Shape, channels: number[]): void {
  const [left, right] = [Math.max(0, Math.floor(shape.left)), Math.min(width, Math.ceil(shape.right))]
  const bottom = Math.min(height, Math.ceil(shape.bottom))
  for (let y = Math.max(0, Math.floor(shape.top)); y < bottom; y++) {
    let at = y * (width * 3 + 1) + 1 + left * 3
    for (let x = left; x < right; x++, at += 3) {
      const covered = Math.max(0, Math.min(1, 0.5 - shape.distance(x + 0.5, y + 0.5)))
      if (covered === 0) continue
      for (let c = 0; c < 3; c++) rows[at + c] = Math.round(rows[at + c]! * (1 - covered) + channels[c]! * covered)
    }
  }
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const BITS_PER_CHANNEL = 8
const RGB = 2

function encode(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([BITS_PER_CHANNEL, RGB], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
