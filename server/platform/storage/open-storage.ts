/** Opens the storage that the settings name. */
import path from 'node:path'
import { diskStorage } from './disk.ts'
import { s3Storage } from './s3.ts'
import type { Storage } from './storage.ts'

export interface StorageSettings {
  UPLOADS_URL: string
  DATA_DIR: string
  AWS_ACCESS_KEY_ID: string
  AWS_SECRET_ACCESS_KEY: string
  AWS_SESSION_TOKEN: string
}

export function openStorage(settings: StorageSettings): Storage {
  if (!settings.UPLOADS_URL) return diskStorage(path.join(settings.DATA_DIR, 'uploads'))
  const url = new URL(settings.UPLOADS_URL)
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
