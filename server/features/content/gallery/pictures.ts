/** The pictures of the newsletters in the gallery. Each is drawn when it is requested for the first time. */
import { along, below, box, circle, draw, everywhere, type Layer, line } from './drawing.ts'

/** Twice as large as shown, for sharp displays. */
const WIDTH = 1056
const HEIGHT = 440
const MIDDLE = WIDTH / 2

const layer = (color: string, shape: Layer['shape']): Layer => ({ color, shape })

/** Hills in the morning. */
const morning = (): Layer[] => [
  layer('#fdebd0', everywhere),
  layer('#fbd9a5', circle(740, 210, 190)),
  layer('#f4a259', circle(740, 210, 110)),
  layer(
    '#a9d0c0',
    below((x) => 250 + 50 * Math.sin(x / 170) - x * 0.03),
  ),
  layer(
    '#6ba292',
    below((x) => 310 + 44 * Math.sin(x / 130 + 2)),
  ),
  layer(
    '#35635b',
    below((x) => 372 + 26 * Math.sin(x / 210 + 4)),
  ),
  ...[90, 140, 205, 905, 965].flatMap((x, i) => [
    layer('#2a4f49', line(x, 400, x, 352 - (i % 2) * 14, 9)),
    layer('#4f8a7c', circle(x, 336 - (i % 2) * 14, 30 - (i % 3) * 4)),
  ]),
]

/** Windows of a program. */
const windows = (): Layer[] => [
  layer('#e3e9ff', everywhere),
  layer('#cdd7fe', circle(930, 60, 240)),
  layer('#d8e0ff', circle(90, 430, 180)),
  ...windowAt(120, 130, 420, 230, '#8ea2f0'),
  ...[0, 1, 2].map((i) => layer('#d5dcfa', box(150, 206 + i * 40, 220 - i * 40, 16, 8))),
  ...windowAt(420, 60, 500, 320, '#4f63d2'),
  layer('#eef1ff', box(452, 128, 130, 220, 12)),
  ...[0, 1, 2, 3].map((i) => layer('#c9d2fb', box(472, 150 + i * 46, 90, 16, 8))),
  layer('#2b3a8f', box(612, 138, 210, 26, 13)),
  ...[0, 1, 2].map((i) => layer('#d5dcfa', box(612, 188 + i * 34, 270 - i * 50, 16, 8))),
  layer('#f4a259', box(612, 300, 140, 44, 22)),
]

const windowAt = (left: number, top: number, width: number, height: number, bar: string): Layer[] => [
  layer('#bcc8f5', box(left + 6, top + 10, width, height, 20)),
  layer('#ffffff', box(left, top, width, height, 20)),
  layer(bar, box(left, top, width, 46, 20)),
  layer(bar, box(left, top + 24, width, 22)),
  ...[0, 1, 2].map((i) => layer('#ffffff', circle(left + 28 + i * 24, top + 23, 7))),
]

const BULBS = ['#ffd166', '#ef767a', '#7bdff2', '#b2f7a0']

/** A garden in the evening, with lights. */
const lights = (): Layer[] => {
  // One line to the middle, and one from there.
  const first = (x: number) => (x > MIDDLE ? -HEIGHT : 60 + 90 * (1 - ((x - MIDDLE / 2) / (MIDDLE / 2)) ** 2))
  const second = (x: number) => (x < MIDDLE ? -HEIGHT : 60 + 70 * (1 - ((x - MIDDLE * 1.5) / (MIDDLE / 2)) ** 2))
  const houses = [
    [0, 250, 150],
    [140, 205, 120],
    [250, 270, 170],
    [640, 230, 130],
    [760, 180, 110],
    [860, 255, 200],
  ] as const
  return [
    layer('#2d2a55', everywhere),
    layer('#3a3770', circle(528, 470, 380)),
    layer('#f7e7c1', circle(560, 210, 34)),
    ...houses.map(([left, top, width]) => layer('#211f42', box(left, top, width, 260, 6))),
    ...houses.flatMap(([left, top, width]) =>
      [0, 1, 2, 3].map((i) =>
        layer(
          i % 3 === 0 ? '#4a467f' : '#ffd98a',
          box(left + 22 + (i % 2) * (width - 72), top + 34 + Math.floor(i / 2) * 62, 28, 36, 4),
        ),
      ),
    ),
    layer('#6d68a8', along(first, 4)),
    layer('#6d68a8', along(second, 4)),
    ...[60, 130, 200, 270, 340, 410, 480].map((x, i) => layer(BULBS[i % 4]!, circle(x, first(x) + 18, 13))),
    ...[580, 650, 720, 790, 860, 930, 1000].map((x, i) => layer(BULBS[(i + 2) % 4]!, circle(x, second(x) + 18, 13))),
    layer(
      '#191733',
      below((x) => 404 + 8 * Math.sin(x / 90)),
    ),
  ]
}

/** A board with a chart and a list. */
const board = (): Layer[] => [
  layer('#e4f3ea', everywhere),
  layer('#cfe9da', circle(980, 400, 220)),
  layer('#bcd9c9', box(106, 66, 400, 320, 24)),
  layer('#ffffff', box(100, 56, 400, 320, 24)),
  layer('#bcd9c9', box(556, 66, 400, 320, 24)),
  layer('#ffffff', box(550, 56, 400, 320, 24)),
  ...[90, 150, 115, 190, 230].map((height, i) =>
    layer(i === 4 ? '#e07a5f' : '#81b29a', box(140 + i * 68, 336 - height, 44, height, 10)),
  ),
  layer('#d9e6df', line(132, 340, 468, 340, 4)),
  ...[0, 1, 2].flatMap((i) => {
    const y = 120 + i * 92
    return [
      layer(i === 2 ? '#d9e6df' : '#81b29a', circle(612, y, 26)),
      layer('#ffffff', line(600, y + 1, 609, y + 10, 6)),
      layer('#ffffff', line(609, y + 10, 625, y - 9, 6)),
      layer('#3d5a4c', box(662, y - 22, 200 - i * 34, 16, 8)),
      layer('#d9e6df', box(662, y + 6, 244 - i * 20, 14, 7)),
    ]
  }),
]

const SCENES = { morning, windows, lights, board }

export type PictureName = keyof typeof SCENES

export const PICTURES = Object.keys(SCENES) as PictureName[]

const drawn = new Map<PictureName, Buffer>()

/** As PNG; undefined if there is none of this name. */
export function readPicture(name: string): Buffer | undefined {
  const known = PICTURES.find((one) => one === name)
  if (!known) return undefined
  const picture = drawn.get(known) ?? draw(WIDTH, HEIGHT, SCENES[known]())
  drawn.set(known, picture)
  return picture
}
