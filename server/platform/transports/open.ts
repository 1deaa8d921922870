/**
 * Opens the transport that MAIL_URL names. The one for SES has its own HTTP client, so it is loaded only if it is used.
 */
import type { Secrets } from '../secrets.ts'
import { type CaptureTools, captureTransport } from './capture.ts'
import { parseMailUrl } from './mail-url.ts'
import type { SesAccess } from './ses-identities.ts'
import { smtpTransport } from './smtp.ts'
import type { OpenTransport, Transport } from './transport.ts'

export interface TransportSettings {
  MAIL_URL: string
  AWS_ACCESS_KEY_ID: string
  AWS_SECRET_ACCESS_KEY: string
  AWS_SESSION_TOKEN: string
  SES_ENDPOINT: string
}

type Tools = CaptureTools & { secrets: Pick<Secrets, 'sign'> }

export async function openTransport(settings: TransportSettings, tools: Tools): Promise<Transport> {
  return { id: transportId(settings, tools.secrets), ...(await openKind(settings, tools)) }
}

async function openKind(settings: TransportSettings, tools: CaptureTools): Promise<OpenTransport> {
  const options = parseMailUrl(settings.MAIL_URL)
  switch (options.kind) {
    case 'capture':
      return captureTransport(tools)
    case 'smtp':
      return smtpTransport(options)
    case 'ses':
      return (await import('./ses.ts')).sesTransport(options, accessOf(settings))
  }
}

/** Settings contain passwords, so the ID has only a hash of them with a secret key. */
export function transportId(settings: TransportSettings, secrets: Pick<Secrets, 'sign'>): string {
  const { MAIL_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, SES_ENDPOINT } = settings
  const used = [MAIL_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, SES_ENDPOINT]
  return `${parseMailUrl(MAIL_URL).kind} ${secrets.sign('transport settings', JSON.stringify(used))}`
}

const accessOf = (settings: TransportSettings): SesAccess => ({
  accessKeyId: settings.AWS_ACCESS_KEY_ID,
  secretAccessKey: settings.AWS_SECRET_ACCESS_KEY,
  sessionToken: settings.AWS_SESSION_TOKEN,
  endpoint: settings.SES_ENDPOINT,
})
