import { describe, expect, it } from 'vitest'
import type { Refusal } from '../../../kernel/errors.ts'
import { camera, comment, gif, gifComment, jpeg, png, webp, webpWithMetadata } from '../../../test/uploads/images.ts'
import { fileNameFor, readImage } from './image.ts'

const sentenceFor = async (bytes: Buffer): Promise<string> => {
  const error = await readImage(bytes).then(
    () => new Error('It was taken.'),
    (refusal: Refusal) => refusal,
  )
  return (error as Refusal).extras?.problems?.[0]?.message ?? String(error)
}

/** With a part, in hex, inserted many times. */
function repeated(bytes: Buffer, at: number, part: string, count: number): Buffer {
  const parts = Buffer.from(part.repeat(count), 'hex')
  const result = Buffer.concat([bytes.subarray(0, at), parts, bytes.subarray(at)])
  if (result.toString('latin1', 0, 4) === 'RIFF') result.writeUInt32LE(result.length - 8, 4)
  return result
}

describe('an uploaded image', () => {
  it.each<[string, Buffer, object]>([
    ['PNG', png(3, 2), { contentType: 'image/png', extension: 'png', width: 3, height: 2 }],
    ['JPEG', jpeg(), { contentType: 'image/jpeg', extension: 'jpg', width: 4, height: 3 }],
    ['GIF', gif(), { contentType: 'image/gif', extension: 'gif', width: 1, height: 1 }],
    ['WebP', webp(), { contentType: 'image/webp', extension: 'webp', width: 1, height: 1 }],
  ])('is recognized as %s and unchanged if it has no metadata', async (_name, bytes, facts) => {
    const image = await readImage(bytes)
    expect(image).toMatchObject(facts)
    expect(image.bytes.equals(bytes)).toBe(true)
  })

  it.each<[string, Buffer, Buffer]>([
    ['PNG', png(2, 2, { tEXt: 'Author\0Ada', eXIf: 'GPS', iTXt: 'x', zTXt: 'y', tIME: '1234567' }), png(2, 2)],
    [
      'PNG with a long color profile',
      png(2, 2, { iCCP: 'x'.repeat(10_000), tIME: '1' }),
      png(2, 2, { iCCP: 'x'.repeat(10_000) }),
    ],
    ['PNG with colours', png(2, 2, { gAMA: '\0\0\xb1\x8f', tEXt: 'Author\0Ada' }), png(2, 2, { gAMA: '\0\0\xb1\x8f' })],
    ['JPEG', jpeg([camera(1), comment('by Ada'), camera(0, 'MM')]), jpeg()],
    ['GIF', gif([gifComment('by Ada')]), gif()],
    ['PNG with something after its end', Buffer.concat([png(), Buffer.from('<script>')]), png()],
    ['JPEG with something after its end', Buffer.concat([jpeg(), Buffer.from('<script>')]), jpeg()],
    ['GIF with something after its end', Buffer.concat([gif(), Buffer.from('<script>')]), gif()],
    ['WebP with something after its end', Buffer.concat([webp(), Buffer.from('<script>')]), webp()],
  ])('loses its metadata and nothing else: %s', async (_name, bytes, expected) => {
    expect((await readImage(bytes)).bytes.equals(expected)).toBe(true)
  })

  it('loses the flags for its metadata too if it is a WebP', async () => {
    const { bytes } = await readImage(webpWithMetadata('GPS 52.5 N'))
    expect(bytes.includes('GPS')).toBe(false)
    expect(bytes[20]).toBe(0)
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
  })

  it.each(['II', 'MM'] as const)('keeps only its orientation if it is a rotated photo (%s)', async (order) => {
    const { bytes, width, height } = await readImage(jpeg([camera(6, order)]))
    expect([width, height]).toEqual([3, 4])
    expect(bytes.includes('GPS')).toBe(false)
    const again = await readImage(bytes)
    expect(again).toMatchObject({ width: 3, height: 4 })
    expect(again.bytes.equals(bytes)).toBe(true)
  })

  it.each<[string, Buffer, RegExp]>([
    ['empty', Buffer.alloc(0), /empty/],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), /not a PNG, JPEG, GIF or WebP/],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), /not a PNG/],
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj'), /not a PNG/],
    ['too wide', png(10_001, 1), /10001 × 1 pixels/],
    ['too large in all', png(9_000, 9_000), /50 million/],
    ['a PNG without size', png(0, 4), /no size/],
    ['a PNG of 10,000 parts', repeated(png(), 33, '0000000074455874ffffffff', 10_000), /more than 10000 parts/],
    ['a JPEG of 10,000 parts', repeated(jpeg(), 2, 'fffe0002', 10_000), /more than 10000 parts/],
    ['a JPEG of 100,000 small parts', repeated(jpeg(), -2, 'ff00', 100_000), /more than 100000 parts/],
    ['a GIF of 10,000 parts', repeated(gif(), 19, '21fe016100', 10_000), /more than 10000 parts/],
    ['a GIF of 100,000 small parts', repeated(gif(), -2, '0161', 100_000), /more than 100000 parts/],
    ['a WebP of 10,000 parts', repeated(webp(), 12, '4558494600000000', 10_000), /more than 10000 parts/],
  ])('is refused with a message if it is %s', async (_what, bytes, sentence) => {
    expect(await sentenceFor(bytes)).toMatch(sentence)
  })

  it.each<[string, Buffer]>([
    ['PNG', png(2, 2, { tEXt: 'a' })],
    ['JPEG', jpeg([camera(6)])],
    ['GIF', gif([gifComment('x')])],
    ['WebP', webpWithMetadata('x')],
  ])('is refused without an internal error if it is a %s that is cut off anywhere', async (_name, whole) => {
    for (let length = 0; length < whole.length; length++) {
      expect(await sentenceFor(whole.subarray(0, length)), `at ${length}`).toMatch(/empty|not a (PNG|valid image)/)
    }
  })

  it.each<[string, Buffer]>([
    ['PNG', png(2, 2, { tEXt: 'a' })],
    ['JPEG', jpeg([camera(6)])],
    ['GIF', gif([gifComment('x')])],
    ['WebP', webpWithMetadata('x')],
  ])('is accepted or refused without an internal error if it is a %s with any byte changed', async (_name, whole) => {
    for (let at = 0; at < whole.length; at++) {
      for (const value of [0, 0x7f, 0xff]) {
        const bytes = Buffer.from(whole)
        bytes[at] = value
        expect(await sentenceFor(bytes), `${value} at ${at}`).toMatch(/It was taken|not a (PNG|valid)|pixels/)
      }
    }
  })
})

describe('the name of an uploaded image', () => {
  it.each([
    ['Logo.PNG', 'png', 'logo.png'],
    ['photo.txt', 'png', 'photo.png'],
    ['C:\\pics\\Mein Bild (1).jpeg', 'jpg', 'mein-bild-1.jpg'],
    ['../../etc/passwd', 'gif', 'passwd.gif'],
    ['Über.gif', 'gif', 'uber.gif'],
    ['', 'webp', 'image.webp'],
    ['.png', 'png', 'image.png'],
    ['画像.png', 'png', 'image.png'],
    [`${'x'.repeat(300)}.png`, 'png', `${'x'.repeat(60)}.png`],
    ['a\0\r\nb".png', 'png', 'a-b.png'],
  ])('%j is converted to a name that is valid in a URL', (given, extension, name) => {
    expect(fileNameFor(given, extension)).toBe(name)
  })
})
