/**
 * Where files are kept that are too large for the database. Two stores with the same face: a folder, or anything that
 * speaks S3. Keys are made by us: letters, digits, hyphens, dots and slashes.
 */
import type { Readable } from 'node:stream'

export interface StoredFile {
  size: number
  content: Readable
}

export interface Storage {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** Nothing when there is no such file. */
  get(key: string): Promise<StoredFile | undefined>
  /** No matter whether it is there. */
  remove(key: string): Promise<void>
}

/** The store cannot be reached or refuses: nothing is wrong with the request. */
export class StorageAway extends Error {}
