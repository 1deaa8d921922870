/**
 * Reads one uploaded file. A route with `upload` accepts only multipart/form-data; the file is buffered in memory, so
 * its size is limited while it is received. Other files of the form are ignored.
 */
import type { IncomingMessage } from 'node:http'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidField, Refusal } from '../../../kernel/errors.ts'

export interface Upload {
  /** Name of the form field with the file. */
  field: string
  maxBytes: number
}

export interface UploadedFile {
  filename: string
  /** The type that the client declared. */
  contentType: string
  bytes: Buffer
  /** The other fields of the form. */
  fields: Record<string, string>
}

/** Space for boundaries, part headers and small fields in addition to the file. */
const FORM_OVERHEAD_BYTES = 256 * 1024
const PARTS_MAX = 50

/** Makes every request body of `scope` a form with a file, which becomes the body. */
export async function addUploads(scope: FastifyInstance, upload: Upload): Promise<void> {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', async () => {
    throw fileMissing(upload)
  })
  await scope.register(multipart, {
    limits: { files: 1, parts: PARTS_MAX, fileSize: upload.maxBytes },
  })
  scope.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readUpload(request, upload)
  })
}

async function readUpload(request: FastifyRequest, upload: Upload): Promise<UploadedFile> {
  const bytesMax = upload.maxBytes + FORM_OVERHEAD_BYTES
  if (Number(request.headers['content-length']) > bytesMax) throw tooLarge(upload)
  try {
    return await Promise.race([readParts(request, upload), sizeExceeded(request.raw, bytesMax, upload)])
  } catch (error) {
    throw asRefusal(error, upload)
  }
}

async function readParts(request: FastifyRequest, upload: Upload): Promise<UploadedFile> {
  let file: UploadedFile | undefined
  const fields: Record<string, string> = Object.create(null)
  for await (const part of request.parts()) {
    if (part.type !== 'file') {
      if (typeof part.value === 'string') fields[part.fieldname] = part.value
      continue
    }
    // Fails immediately, while the rest is still being sent; `toBuffer()` alone would read all of it first.
    part.file.once('limit', () => part.file.destroy(tooLarge(upload)))
    const bytes = await part.toBuffer()
    if (part.fieldname !== upload.field) continue
    file = { filename: part.filename ?? '', contentType: part.mimetype, bytes, fields }
  }
  if (!file) throw fileMissing(upload)
  return file
}

/** Rejects if the whole form exceeds the limit; never resolves. */
const sizeExceeded = (body: IncomingMessage, bytesMax: number, upload: Upload) =>
  new Promise<never>((_resolve, reject) => {
    let received = 0
    body.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > bytesMax) reject(tooLarge(upload))
    })
  })

function asRefusal(error: unknown, upload: Upload): unknown {
  if (error instanceof Refusal) return error
  const { code } = error as { code?: string }
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(upload)
  if (code === 'FST_FILES_LIMIT') return invalidField(upload.field, 'Send only one file.')
  return malformed(code === 'FST_PARTS_LIMIT' ? new Error(`more than ${PARTS_MAX} parts`) : error)
}

export const fileMissing = ({ field }: Upload) =>
  invalidField(
    field,
    `Send multipart/form-data with the file in a field named "${field}", including a file name.`,
    'invalid_type',
  )

const tooLarge = ({ maxBytes }: Upload) =>
  new Refusal('too-large', 'PAYLOAD_TOO_LARGE', `The file exceeds the maximum size of ${maxBytes / 1024 / 1024} MB.`)

const malformed = (error: unknown) =>
  new Refusal(
    'bad-request',
    'INVALID_REQUEST_BODY',
    `The body is not valid multipart/form-data: ${(error as Error).message}.`,
  )
