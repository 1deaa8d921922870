/** The folder with the database and the secret: only its owner may look into it. */
import { chmod, mkdir, stat } from 'node:fs/promises'
import type { Log } from './log.ts'

const ONLY_OWNER = 0o700
const OTHERS = 0o077
/** Folders such as /tmp, which everyone must be able to use. */
const STICKY = 0o1000

/** Creates DATA_DIR. One that an earlier version or somebody else created with wider permissions is restricted. */
export async function openPrivateFolder(folder: string, log: Log): Promise<void> {
  await mkdir(folder, { recursive: true, mode: ONLY_OWNER })
  if (process.platform === 'win32') return // permissions are inherited from the folder above
  const { mode } = await stat(folder)
  if ((mode & OTHERS) === 0) return
  const before = (mode & 0o7777).toString(8).padStart(4, '0')
  if (mode & STICKY) {
    log.warn({ folder, mode: before }, 'DATA_DIR is a shared folder; set it to a folder that only Posthorn uses')
    return
  }
  try {
    await chmod(folder, ONLY_OWNER)
    log.info({ folder, before, after: '0700' }, 'other users could read DATA_DIR; its permissions were restricted')
  } catch (error) {
    log.warn(
      { folder, mode: before, reason: String(error) },
      'other users can read DATA_DIR; restrict its permissions to 0700',
    )
  }
}
