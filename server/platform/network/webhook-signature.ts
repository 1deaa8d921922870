/** The headers of Standard Webhooks (https://www.standardwebhooks.com): an ID, the time, and a signature with each secret. */
import { createHmac } from 'node:crypto'

/** A repeated request has the same ID, so that the receiver can recognize it. */
export function signatureHeaders(id: string, at: Date, body: string, secrets: Buffer[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const sign = (secret: Buffer) => createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  }
}
