/** Sends a file to a test app like a browser's form. */
import type { TestApp } from '../harness.ts'

export interface TestUpload {
  key?: string
  /** The session of a member, instead of a key. */
  cookie?: string
  projectId?: string
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
  const { key, cookie = '', projectId = '' } = upload
  const credentials: Record<string, string> =
    key === undefined ? { cookie, 'x-project-id': projectId } : { authorization: `Bearer ${key}` }
  const headers = { ...credentials, 'content-type': encoded.headers.get('content-type')! }
  return post(app, path, headers, Buffer.from(await encoded.arrayBuffer()))
}

export const send = (app: TestApp, path: string, key: string, contentType: string, payload: Buffer | string) =>
  post(app, path, { authorization: `Bearer ${key}`, 'content-type': contentType }, payload)

async function post(app: TestApp, path: string, headers: Record<string, string>, payload: Buffer | string) {
  const reply = await app.server.inject({ method: 'POST', url: path, headers, payload })
  return { status: reply.statusCode, body: JSON.parse(reply.body) }
}
