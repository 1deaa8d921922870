/** Images for emails: uploading, serving to everyone who has the URL, and removing files from the store. */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { notFound, Refusal } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { openStorage } from '../../../platform/storage/open-storage.ts'
import { StorageUnavailable, type StoredFile } from '../../../platform/storage/storage.ts'
import { CONTENT_TYPES, fileNameFor, nameFor, readImage } from './image.ts'
import * as queries from './queries.ts'
import type { ImageFields } from './schemas.ts'

const REMOVE_AT_ONCE = 50
const STORED_NAME = /^[0-9a-f]{32}-[a-z0-9-]{1,60}\.(png|jpg|gif|webp)$/

export interface ServedImage extends StoredFile {
  contentType: string
}

export type Uploads = ReturnType<typeof createUploads>

export function createUploads(ctx: Context) {
  const storage = openStorage(ctx.settings)

  async function remove(keys: string[]): Promise<string[]> {
    const results = await Promise.allSettled(keys.map((key) => storage.remove(key)))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) ctx.log.warn({ err: failed.reason }, 'an image could not be deleted from the store')
    return keys.filter((_key, i) => results[i]!.status === 'fulfilled')
  }

  return {
    /**
     * The file is stored before its row, so that a crash in between leaves an unused file and never a URL without a
     * file.
     */
    async uploadImage(projectId: string, file: { filename: string; bytes: Buffer }, fields: ImageFields) {
      const { bytes, extension, contentType, width, height } = await readImage(file.bytes)
      const filename = fileNameFor(file.filename, extension)
      const storedName = `${randomBytes(16).toString('hex')}-${filename}`
      const storageKey = `${projectId}/${storedName}`
      await available(ctx, () => storage.put(storageKey, bytes, contentType))
      const now = ctx.clock.now()
      const details = {
        name: fields.name ?? nameFor(file.filename, filename),
        folder: fields.folder || null,
        alt: fields.alt || null,
      }
      const shown = { id: newId(now), ...details, contentType, size: bytes.length, width, height }
      await queries.insertUpload(ctx.db, projectId, { ...shown, storageKey, now })
      return { ...shown, url: `${ctx.baseUrl}/uploads/${projectId}/${storedName}`, filename }
    },

    /** Found by its URL alone, which can't be guessed, because mail clients send no credentials. */
    async getImage(projectId: string, name: string): Promise<ServedImage> {
      const extension = STORED_NAME.exec(name)?.[1] as keyof typeof CONTENT_TYPES | undefined
      const key = `${projectId.toLowerCase()}/${name}`
      const file = extension && (await available(ctx, () => storage.get(key)))
      if (!file) throw notFound('image', name)
      return { ...file, contentType: CONTENT_TYPES[extension!] }
    },

    /** Removes the files of deleted uploads and projects from storage. Failures are retried later. */
    async removeUploads(): Promise<void> {
      while ((await queries.withRemovals(ctx.db, REMOVE_AT_ONCE, remove)) === REMOVE_AT_ONCE);
    },
  }
}

async function available<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    ctx.log.error({ err: error }, 'the image store is unavailable')
    throw new Refusal(
      'unavailable',
      'SERVICE_UNAVAILABLE',
      'The image store is currently unavailable. Try again later.',
    )
  }
}
