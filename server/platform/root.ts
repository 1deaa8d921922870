/** The folder of the server, found from both the sources and the bundle. */
import { existsSync } from 'node:fs'
import path from 'node:path'

function findServerFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(path.join(folder, 'package.json'))) {
    const parent = path.dirname(folder)
    if (parent === folder) throw new Error('The server folder was not found.')
    folder = parent
  }
  return folder
}

export const SERVER_FOLDER = findServerFolder()

/** Whether this is a clone with its sources instead of the installed package. */
export const IS_CLONE = existsSync(path.join(SERVER_FOLDER, 'main.ts'))
