/** The version of this build, from package.json. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { SERVER_FOLDER } from './root.ts'

export const VERSION: string = JSON.parse(readFileSync(path.join(SERVER_FOLDER, 'package.json'), 'utf8')).version
