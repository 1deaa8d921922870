/** Opens the storage that the settings name. */
import path from 'node:path'
import { diskStorage } from './disk.ts'
import { s3Storage } from './s3.ts'
import type { Storage } from './storage.ts'

interface Keys {
  AWS_ACCESS_KEY_ID: string
  AWS_SECRET_ACCESS_KEY: string
  AWS_SESSION_TOKEN: string
}

export interface StorageSettings extends Keys {
  UPLOADS_URL: string
  DATA_DIR: string
}

export const openStorage = (settings: StorageSettings): Storage =>
  settings.UPLOADS_URL
    ? openBucket(settings.UPLOADS_URL, settings)
    : diskStorage(path.join(settings.DATA_DIR, 'uploads'))

/** Undefined if old data isn't archived. */
export function openArchive(settings: Keys & { ARCHIVE: string }): Storage | undefined {
  if (settings.ARCHIVE === '') return undefined
  return settings.ARCHIVE.startsWith('s3://') ? openBucket(settings.ARCHIVE, settings) : diskStorage(settings.ARCHIVE)
}

function openBucket(address: string, settings: Keys): Storage {
  const url = new URL(address)
  const ownKeys = url.username !== ''
  return s3Storage({
    bucket: url.hostname,
    prefix: url.pathname.replace(/^\/+|\/+$/g, ''),
    region: url.searchParams.get('region') || 'us-east-1',
    endpoint: url.searchParams.get('endpoint') ?? '',
    accessKeyId: ownKeys ? decodeURIComponent(url.username) : settings.AWS_ACCESS_KEY_ID,
    secretAccessKey: ownKeys ? decodeURIComponent(url.password) : settings.AWS_SECRET_ACCESS_KEY,
    sessionToken: ownKeys ? '' : settings.AWS_SESSION_TOKEN,
  })
}
