/** The folder of the server package, found from the source tree and from the bundle alike. */
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
