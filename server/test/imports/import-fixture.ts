/** A project for each test of a file, and the requests that tests of imports share. */
import { expect } from 'vitest'
import { uploadFile } from '../uploads/upload.ts'
import { useProject } from '../use-project.ts'

export function useImports() {
  const fixture = useProject()
  const { call } = fixture

  const send = (path: string, file: string | Buffer, mapping?: unknown, options: Record<string, string> = {}) => {
    const text = typeof mapping === 'string' ? mapping : JSON.stringify(mapping)
    const { secretKey: key } = fixture.project
    const parts = { ...(text === undefined ? {} : { mapping: text }), ...options }
    return uploadFile(fixture.app, path, file, { key, parts })
  }
  const upload = (file: string | Buffer, mapping?: unknown, options?: Record<string, string>) =>
    send('/contacts/import', file, mapping, options)
  const getImport = async (jobId: string) => (await call('GET', `/contacts/import/${jobId}`)).body

  return {
    get app() {
      return fixture.app
    },
    get project() {
      return fixture.project
    },
    call,
    upload,
    preview: (file: string | Buffer, mapping?: unknown, options?: Record<string, string>) =>
      send('/contacts/import/preview', file, mapping, options),
    getImport,
    /** Uploads a file, runs the queue, and returns the completed job. */
    async importFile(file: string | Buffer, mapping?: unknown) {
      const { status, body } = await upload(file, mapping)
      expect(status).toBe(202)
      await fixture.app.drain()
      return getImport(body.jobId)
    },
  }
}

/** The result of an import, without its errors. */
export const counts = (created: number, updated: number, unchanged: number, failed = 0) => ({
  totalRows: created + updated + unchanged + failed,
  createdCount: created,
  updatedCount: updated,
  unchangedCount: unchanged,
  failureCount: failed,
})
