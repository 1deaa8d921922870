/** Where the service is and with which key to call it: from options, the environment or a profile, in this order. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { CommandError } from './errors.ts'

export interface Connection {
  url: string
  key: string
}

interface ProfileFile {
  profiles: Record<string, Connection>
}

const DEFAULT_URL = 'http://localhost:3000'
export const DEFAULT_PROFILE = 'default'
const NOT_AUTHORIZED = 3

export const profilesFile = (): string =>
  path.join(process.env.XDG_CONFIG_HOME || path.join(homedir(), '.config'), 'posthorn', 'profiles.json')

function readProfiles(): ProfileFile {
  try {
    const { profiles } = JSON.parse(readFileSync(profilesFile(), 'utf8')) as ProfileFile
    return { profiles: profiles ?? {} }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} }
    throw new CommandError(`${profilesFile()} can't be read: ${(error as Error).message}`)
  }
}

/** Only you can read the file, because it has keys. */
export function saveProfile(name: string, connection: Connection): string {
  const { profiles } = readProfiles()
  const file = profilesFile()
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify({ profiles: { ...profiles, [name]: connection } }, null, 2)}\n`, {
    mode: 0o600,
  })
  renameSync(draft, file)
  return file
}

export function findConnection(options: { url?: string; key?: string; profile?: string }): Connection {
  const { profiles } = readProfiles()
  if (options.profile !== undefined && !profiles[options.profile]) {
    throw new CommandError(
      `There is no profile "${options.profile}". Create it with: posthorn login --profile ${options.profile} --url URL --key KEY`,
      NOT_AUTHORIZED,
    )
  }
  // A profile that was asked for wins over the environment.
  const chosen = options.profile === undefined ? undefined : profiles[options.profile]
  const fallback = profiles[DEFAULT_PROFILE]
  const key = options.key ?? chosen?.key ?? process.env.POSTHORN_API_KEY ?? fallback?.key
  if (!key) {
    throw new CommandError(
      'There is no API key. Run posthorn login --url URL --key KEY, or set POSTHORN_URL and POSTHORN_API_KEY.',
      NOT_AUTHORIZED,
    )
  }
  // The URL of a profile belongs to its key: a key from elsewhere is never sent there.
  const ofProfile = key === chosen?.key ? chosen.url : key === fallback?.key ? fallback.url : undefined
  return { url: options.url ?? ofProfile ?? process.env.POSTHORN_URL ?? DEFAULT_URL, key }
}
