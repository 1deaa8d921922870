/** Sends a file to a test app like a browser's form. */
import type { TestApp } from '../harness.ts'

export interface TestUpload {
  key: string
  field?: string
  filename?: string
  /** Additional parts of the form, before the file. */
  parts?: Record<string, string | Blob>
}

export async function uploadFile(app: TestApp, path: string, file: string | Buffer, upload: TestUpload) {
  const form = new FormData()
  for (const [name, value] of Object.entries(upload.parts ?? {})) form.append(name, value)
  form.append(upload.field ?? 'file', new Blob([file], { type: 'text/csv' }), upload.filename ?? 'contacts.csv')
  const encoded = new Response(form)
  return send(app, path, upload.key, encoded.headers.get('content-type')!, Buffer.from(await encoded.arrayBuffer()))
}

export async function send(app: TestApp, path: string, key: string, contentType: string, payload: Buffer | string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': contentType }
  const reply = await app.server.inject({ method: 'POST', url: path, headers, payload })
  return { status: reply.statusCode, body: JSON.parse(reply.body) }
}
