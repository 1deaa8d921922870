import { Posthorn, unwrap } from '../../sdk/index.ts'
import type { Command } from '../command.ts'
import { DEFAULT_PROFILE, saveProfile } from '../connection.ts'
import { UsageError } from '../errors.ts'
import { printable } from '../output.ts'

const STDIN_MAX = 10_000

export const login: Command = {
  summary: 'Check a key and save it with the URL of the service as a profile',
  run: async ({ options, output }) => {
    const url = webAddress(options.url)
    const key = options.key === '-' ? await readKey() : options.key
    if (!key) throw new UsageError('--key is missing. With --key - it is read from the standard input.')
    const profile = options.profile ?? DEFAULT_PROFILE
    const me = await unwrap(new Posthorn(key, { baseUrl: url }).request('GET /me'))
    const file = saveProfile(profile, { url, key })
    output.item(
      { profile, url, project: me.project, file },
      () => `Signed in to ${printable(me.project.name)} at ${url}. The key is saved in ${file} as "${profile}".`,
    )
  },
}

function webAddress(text: string | undefined): string {
  if (text === undefined) throw new UsageError('--url is missing, such as --url https://mail.example.com.')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError('--url must begin with http:// or https://.')
  }
  return text.replace(/\/+$/, '')
}

async function readKey(): Promise<string> {
  let text = ''
  for await (const part of process.stdin) {
    text += String(part)
    if (text.length > STDIN_MAX) throw new UsageError('The standard input is not a key.')
  }
  return text.trim()
}
