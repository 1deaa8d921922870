/** Files in a folder. Written to a temporary file and renamed, so that nobody reads an incomplete one. */
import { randomBytes } from 'node:crypto'
import { chmod, copyFile, mkdir, open, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Storage } from './storage.ts'

export function diskStorage(folder: string): Storage {
  const placeOf = (key: string) => {
    const place = path.join(folder, key)
    if (!place.startsWith(folder + path.sep)) throw new Error(`Invalid storage key: ${JSON.stringify(key)}`)
    return place
  }
  async function putBy(key: string, write: (draft: string) => Promise<void>): Promise<void> {
    const place = placeOf(key)
    const firstCreated = await mkdir(path.dirname(place), { recursive: true })
    const draft = `${place}.${randomBytes(6).toString('hex')}.part`
    try {
      await write(draft)
      await rename(draft, place)
      await syncFolders(path.dirname(place), firstCreated)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }
  return {
    put: (key, bytes) => putBy(key, (draft) => writeFile(draft, bytes, { flush: true })),
    putFile: (key, file) =>
      putBy(key, async (draft) => {
        await copyFile(file, draft)
        await chmod(draft, 0o600)
        const copy = await open(draft, 'r+')
        await copy.sync().finally(() => copy.close())
      }),
    async get(key) {
      try {
        const file = await open(placeOf(key))
        const { size } = await file.stat()
        return { size, content: file.createReadStream() }
      } catch (error) {
        if (isAbsent(error)) return undefined
        throw error
      }
    },
    async remove(key) {
      const place = placeOf(key)
      await rm(place, { force: true })
      await rmdir(path.dirname(place)).catch(() => undefined) // deletes the folder with its last file
    },
  }
}

/** Syncs folders, so that the names of new files and folders survive a power failure, as the files do. */
async function syncFolders(folder: string, firstCreated: string | undefined): Promise<void> {
  if (process.platform === 'win32') return // folders can't be opened on Windows
  const last = firstCreated ? path.dirname(firstCreated) : folder
  for (let each = folder; ; each = path.dirname(each)) {
    const opened = await open(each).catch(() => undefined) // a parent may be writable but not readable
    await opened?.sync().finally(() => opened.close())
    if (each === last || each === path.dirname(each)) return
  }
}

const isAbsent = (error: unknown) =>
  ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
