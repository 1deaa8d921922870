/**
 * Writes a ZIP archive as a stream, with bounded memory and of any size: sizes follow each file, in ZIP64. See APPNOTE.TXT of
 * PKWARE, sections 4.3 to 4.5.
 */
import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  name: string
  content: AsyncIterable<string>
}

interface Written {
  name: Buffer
  crc: number
  compressed: number
  size: number
  offset: number
}

const VERSION = 45
/** Sizes follow the file, and names are UTF-8. */
const FLAGS = 0x0808
const DEFLATE = 8
/** 1980-01-01: the time of a file is of no interest, and the same content gives the same archive. */
const DOS_DATE = 0x21
const IN_ZIP64 = 0xffffffff

export async function* zipStream(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const files: Written[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const file: Written = { name: Buffer.from(name), crc: 0, compressed: 0, size: 0, offset }
    const header = localHeader(file)
    yield header
    for await (const part of compress(content, file)) yield part
    const descriptor = dataDescriptor(file)
    yield descriptor
    offset += header.length + file.compressed + descriptor.length
    files.push(file)
  }
  const directory = Buffer.concat(files.map(centralHeader))
  yield directory
  yield endOfArchive(files.length, directory.length, offset)
}

async function* compress(content: AsyncIterable<string>, file: Written): AsyncGenerator<Buffer> {
  const counted = Readable.from(
    (async function* () {
      for await (const text of content) {
        const bytes = Buffer.from(text)
        file.crc = crc32(bytes, file.crc)
        file.size += bytes.length
        yield bytes
      }
    })(),
    { objectMode: false },
  )
  const deflate = createDeflateRaw()
  counted.on('error', (error) => deflate.destroy(error))
  try {
    for await (const part of counted.pipe(deflate)) {
      file.compressed += (part as Buffer).length
      yield part as Buffer
    }
  } finally {
    counted.destroy() // if the reader of the archive has gone
  }
}

const fields = (...values: Array<[bytes: 2 | 4 | 8, value: number]>): Buffer => {
  const buffer = Buffer.alloc(values.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of values) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at)
    else buffer.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return buffer
}

function localHeader({ name }: Written): Buffer {
  const zip64 = fields([2, 1], [2, 16], [8, 0], [8, 0])
  const header = fields(
    ...([
      [4, 0x04034b50],
      [2, VERSION],
      [2, FLAGS],
      [2, DEFLATE],
      [2, 0],
      [2, DOS_DATE],
      [4, 0],
    ] as Array<[2 | 4, number]>),
    ...([
      [4, IN_ZIP64],
      [4, IN_ZIP64],
      [2, name.length],
      [2, zip64.length],
    ] as Array<[2 | 4, number]>),
  )
  return Buffer.concat([header, name, zip64])
}

const dataDescriptor = ({ crc, compressed, size }: Written) =>
  fields([4, 0x08074b50], [4, crc], [8, compressed], [8, size])

function centralHeader({ name, crc, compressed, size, offset }: Written): Buffer {
  const zip64 = fields([2, 1], [2, 24], [8, size], [8, compressed], [8, offset])
  const header = fields(
    ...([
      [4, 0x02014b50],
      [2, VERSION],
      [2, VERSION],
      [2, FLAGS],
      [2, DEFLATE],
      [2, 0],
      [2, DOS_DATE],
    ] as Array<[2 | 4, number]>),
    ...([
      [4, crc],
      [4, IN_ZIP64],
      [4, IN_ZIP64],
      [2, name.length],
      [2, zip64.length],
    ] as Array<[2 | 4, number]>),
    ...([
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, IN_ZIP64],
    ] as Array<[2 | 4, number]>),
  )
  return Buffer.concat([header, name, zip64])
}

function endOfArchive(count: number, directoryBytes: number, directoryAt: number): Buffer {
  return Buffer.concat([
    fields([4, 0x06064b50], [8, 44], [2, VERSION], [2, VERSION], [4, 0], [4, 0]),
    fields([8, count], [8, count], [8, directoryBytes], [8, directoryAt]),
    fields([4, 0x07064b50], [4, 0], [8, directoryAt + directoryBytes], [4, 1]),
    fields([4, 0x06054b50], [2, 0], [2, 0], [2, 0xffff], [2, 0xffff], [4, IN_ZIP64], [4, IN_ZIP64], [2, 0]),
  ])
}
