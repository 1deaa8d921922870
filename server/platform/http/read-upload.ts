/**
 * One uploaded file in. A route that describes an `upload` takes multipart/form-data and nothing else; the file is held
 * in memory, so its size is bounded while it arrives and not after. Other parts of the form are passed over.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import busboy from 'busboy'
import { invalidField, Refusal } from '../../kernel/errors.ts'

export interface Upload {
  /** Name of the form's field that holds the file. */
  field: string
  maxBytes: number
}

export interface UploadedFile {
  filename: string
  /** As the client claims. */
  contentType: string
  bytes: Buffer
}

/** Room for boundaries, part headers and small fields beside the file. */
const FORM_OVERHEAD_BYTES = 256 * 1024
const PARTS_MAX = 50

export async function readUpload(body: Readable, headers: IncomingHttpHeaders, upload: Upload): Promise<UploadedFile> {
  if (!/^multipart\/form-data\b/i.test(headers['content-type'] ?? '')) throw fileMissing(upload)
  if (Number(headers['content-length']) > upload.maxBytes + FORM_OVERHEAD_BYTES) throw tooLarge(upload)
  const form = openForm(headers, upload)
  try {
    return await receive(body, form, upload)
  } finally {
    // What still arrives is let go, so that the reply can be read and the connection used again.
    body.unpipe(form)
    body.resume()
    form.destroy()
  }
}

function openForm(headers: IncomingHttpHeaders, { maxBytes }: Upload): busboy.Busboy {
  try {
    return busboy({
      headers,
      defParamCharset: 'utf8',
      limits: { files: 1, parts: PARTS_MAX, fileSize: maxBytes + 1 }, // the library calls the limit itself too much
    })
  } catch (error) {
    throw malformed(error)
  }
}

function receive(body: Readable, form: busboy.Busboy, upload: Upload): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    let received = 0
    let file: UploadedFile | undefined
    body.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > upload.maxBytes + FORM_OVERHEAD_BYTES) reject(tooLarge(upload))
    })
    body.once('error', reject)
    body.once('close', () => {
      if (!body.readableEnded) reject(malformed(new Error('the request ended early')))
    })
    form.on('error', (error) => reject(malformed(error)))
    form.once('filesLimit', () => reject(invalidField(upload.field, 'Send one file, not several.')))
    form.once('partsLimit', () => reject(malformed(new Error(`more than ${PARTS_MAX} parts`))))
    form.on('file', (field, stream, { filename, mimeType }) => {
      const chunks: Buffer[] = []
      stream.once('limit', () => reject(tooLarge(upload)))
      stream.on('error', () => undefined) // the form reports it as well
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('end', () => {
        if (field === upload.field) {
          file = { filename: filename ?? '', contentType: mimeType, bytes: Buffer.concat(chunks) }
        }
      })
    })
    form.once('close', () => (file ? resolve(file) : reject(fileMissing(upload))))
    body.pipe(form)
  })
}

export const fileMissing = ({ field }: Upload) =>
  invalidField(
    field,
    `Send multipart/form-data with the file in a field named "${field}", with a file name.`,
    'invalid_type',
  )

const tooLarge = ({ maxBytes }: Upload) =>
  new Refusal('too-large', 'PAYLOAD_TOO_LARGE', `The file is larger than ${maxBytes / 1024 / 1024} MB.`)

const malformed = (error: unknown) =>
  new Refusal(
    'bad-request',
    'INVALID_REQUEST_BODY',
    `The body is not valid multipart/form-data: ${(error as Error).message}.`,
  )
