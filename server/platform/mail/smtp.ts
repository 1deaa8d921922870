/** Hands messages to a mail server or relay over pooled connections. What it took is delivered as far as we can know. */
import type { SmtpOptions } from './mail-url.ts'
import { wireAddress } from './mime-address.ts'
import { SmtpError } from './smtp-error.ts'
import { createPool } from './smtp-pool.ts'
import { resultOf } from './smtp-reply.ts'
import type { MailResult, OutgoingMail, Transport } from './transport.ts'

export function smtpTransport(options: SmtpOptions): Transport {
  const pool = createPool(options)

  async function send({ sender, recipients, messageId, raw }: OutgoingMail): Promise<MailResult> {
    try {
      await pool.send({ sender: wireAddress(sender), recipient: wireAddress(recipients[0]!), raw })
      return { outcome: 'accepted', providerId: messageId, delivered: true }
    } catch (error) {
      if (error instanceof SmtpError) return resultOf(error.failure)
      throw error
    }
  }

  return { name: 'smtp', signing: 'on-send', send, close: () => pool.close() }
}
