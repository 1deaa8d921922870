/**
 * Files of an export, and those in ZIP archives, as streams: a file of any size is read with little memory. Runs in browsers and
 * in Node. The format of archives is described in APPNOTE.TXT of PKWARE.
 */
import { BrokenFile, type MoveFile } from './record.ts'

const END = 0x06054b50
const END64_LOCATOR = 0x07064b50
const END64 = 0x06064b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
const COMMENT_MAX = 65_535
const IN_ZIP64 = 0xffffffff
const STORED = 0
const DEFLATED = 8

/** The file, or the files in it if it is an archive. */
export async function filesIn(name: string, blob: Blob): Promise<MoveFile[]> {
  const start = new DataView(await blob.slice(0, 4).arrayBuffer())
  const isArchive = start.byteLength === 4 && [LOCAL, END].includes(start.getUint32(0, true))
  return isArchive ? entriesOf(name, blob) : [{ name, stream: () => blob.stream() as ReadableStream<Uint8Array> }]
}

async function entriesOf(archive: string, blob: Blob): Promise<MoveFile[]> {
  const { at, bytes } = await directoryOf(archive, blob)
  const view = new DataView(await blob.slice(at, at + bytes).arrayBuffer())
  const files: MoveFile[] = []
  for (let i = 0; i + 46 <= view.byteLength && view.getUint32(i, true) === ENTRY; ) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => view.getUint16(i + offset, true)) as [
      number,
      number,
      number,
    ]
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, i + 46, nameBytes))
    const method = view.getUint16(i + 10, true)
    const isEncrypted = (view.getUint16(i + 8, true) & 1) === 1
    const sizes = sizesOf(view, i, i + 46 + nameBytes, extraBytes)
    i += 46 + nameBytes + extraBytes + commentBytes
    // Folders, and what macOS adds.
    if (name.endsWith('/') || name.startsWith('__MACOSX/')) continue
    if (isEncrypted)
      throw new BrokenFile(archive, undefined, `${name} is encrypted. Unpack the archive, and use the files in it.`)
    if (method !== STORED && method !== DEFLATED)
      throw new BrokenFile(archive, undefined, `${name} is compressed in an unusual way. Unpack the archive first.`)
    files.push({ name, stream: () => contentOf(blob, sizes, method) })
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function directoryOf(archive: string, blob: Blob): Promise<{ at: number; bytes: number }> {
  const from = Math.max(0, blob.size - END_BYTES - COMMENT_MAX)
  const view = new DataView(await blob.slice(from).arrayBuffer())
  for (let i = view.byteLength - END_BYTES; i >= 0; i--) {
    if (view.getUint32(i, true) !== END) continue
    const [bytes, at] = [view.getUint32(i + 12, true), view.getUint32(i + 16, true)]
    if (at !== IN_ZIP64 || i < 20 || view.getUint32(i - 20, true) !== END64_LOCATOR) return { at, bytes }
    const end = new DataView(await sliceOf(blob, number64(view, i - 12), 56))
    if (end.byteLength === 56 && end.getUint32(0, true) === END64)
      return { bytes: number64(end, 40), at: number64(end, 48) }
  }
  throw new BrokenFile(archive, undefined, 'The archive is incomplete. Download it again.')
}

const sliceOf = (blob: Blob, at: number, bytes: number) => blob.slice(at, at + bytes).arrayBuffer()
const number64 = (view: DataView, at: number) => Number(view.getBigUint64(at, true))

interface Sizes {
  compressed: number
  offset: number
}

function sizesOf(view: DataView, entry: number, extra: number, extraBytes: number): Sizes {
  const size = view.getUint32(entry + 24, true)
  let compressed = view.getUint32(entry + 20, true)
  let offset = view.getUint32(entry + 42, true)
  for (let i = extra; i + 4 <= extra + extraBytes; i += 4 + view.getUint16(i + 2, true)) {
    if (view.getUint16(i, true) !== 1) continue
    let at = i + 4
    if (size === IN_ZIP64) at += 8
    if (compressed === IN_ZIP64) {
      compressed = number64(view, at)
      at += 8
    }
    if (offset === IN_ZIP64) offset = number64(view, at)
  }
  return { compressed, offset }
}

function contentOf(blob: Blob, { compressed, offset }: Sizes, method: number): ReadableStream<Uint8Array> {
  const content = new TransformStream<Uint8Array, Uint8Array>()
  const read = async () => {
    const header = new DataView(await sliceOf(blob, offset, 30))
    const start = offset + 30 + header.getUint16(26, true) + header.getUint16(28, true)
    const raw = blob.slice(start, start + compressed).stream() as ReadableStream<Uint8Array>
    const plain = method === STORED ? raw : raw.pipeThrough(new DecompressionStream('deflate-raw') as never)
    await (plain as ReadableStream<Uint8Array>).pipeTo(content.writable)
  }
  read().catch((error) => content.writable.abort(error).catch(() => undefined))
  return content.readable
}

/** The text of a file, in parts. */
export async function* textOf(file: MoveFile): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = file.stream().getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw new BrokenFile(file.name, undefined, 'The file is damaged. Download it again.')
      })
      if (done) break
      yield decoder.decode(value, { stream: true })
    }
    yield decoder.decode()
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

export interface Line {
  line: number
  text: string
}

const LINE_MAX = 50_000_000

/** In groups, because a million awaited lines take a second. */
export async function* linesOf(file: MoveFile): AsyncGenerator<Line[]> {
  let rest = ''
  let line = 0
  for await (const part of textOf(file)) {
    const lines = (rest + part).split('\n')
    rest = lines.pop()!
    if (rest.length > LINE_MAX) throw new BrokenFile(file.name, line + 1, 'The line is too long.')
    yield lines.map((text) => ({ line: ++line, text: text.endsWith('\r') ? text.slice(0, -1) : text }))
  }
  if (rest !== '') yield [{ line: line + 1, text: rest }]
}

/** Each document of a file with one JSON document on each line. */
export async function* jsonLines<T = Record<string, unknown>>(
  file: MoveFile,
): AsyncGenerator<{ line: number; value: T }> {
  for await (const lines of linesOf(file)) {
    for (const { line, text } of lines) {
      if (text.trim() === '') continue
      try {
        yield { line, value: JSON.parse(text) as T }
      } catch (error) {
        throw new BrokenFile(file.name, line, `The line is not JSON: ${(error as Error).message}`)
      }
    }
  }
}

/** A whole JSON document, such as a response of an API that was saved. */
export async function jsonOf(file: MoveFile): Promise<unknown> {
  let text = ''
  for await (const part of textOf(file)) text += part
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    const at = /position (\d+)/.exec((error as Error).message)?.[1]
    const line = at === undefined ? undefined : text.slice(0, Number(at)).split('\n').length
    throw new BrokenFile(file.name, line, `The file is not JSON: ${(error as Error).message}`)
  }
}
