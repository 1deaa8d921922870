/**
 * Opens the transport that MAIL_URL names. The one for SES has its own HTTP client, so it is loaded only if it is used.
 */
import { type CaptureTools, captureTransport } from './capture.ts'
import { parseMailUrl } from './mail-url.ts'
import type { SesAccess } from './ses.ts'
import { smtpTransport } from './smtp.ts'
import type { Transport } from './transport.ts'

export interface TransportSettings {
  MAIL_URL: string
  AWS_ACCESS_KEY_ID: string
  AWS_SECRET_ACCESS_KEY: string
  AWS_SESSION_TOKEN: string
  SES_ENDPOINT: string
}

export async function openTransport(settings: TransportSettings, tools: CaptureTools): Promise<Transport> {
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

const accessOf = (settings: TransportSettings): SesAccess => ({
  accessKeyId: settings.AWS_ACCESS_KEY_ID,
  secretAccessKey: settings.AWS_SECRET_ACCESS_KEY,
  sessionToken: settings.AWS_SESSION_TOKEN,
  endpoint: settings.SES_ENDPOINT,
})
