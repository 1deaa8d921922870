/**
 * The SMTP server for inbound email. It accepts only email for a verified domain and reports to a return path that we
 * created; it relays nothing. A message is accepted only after it is stored.
 */
import { randomUUID } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { UnreadableMessage } from '../../../platform/mime/parse-message.ts'
import { networkOf } from '../../../platform/network/public-address.ts'
import type { SmtpListener, SmtpSession } from '../../../platform/smtp/listen.ts'
import { mailHostOf, openMailServer } from '../../../platform/smtp/open-server.ts'
import { cannotParse, SmtpRefusal } from '../../../platform/smtp/refusal.ts'
import { emailOfReturnPath } from '../delivery/signing.ts'
import { findReceivingProjects, receiveMail } from './actions.ts'
import { hopsOf } from './facts.ts'

/** Email that passed through this many servers is in a loop (RFC 5321, 6.3). */
const HOPS_MAX = 100

/** 0 selects any free port. */
export const openInboundServer = (ctx: Context, port: number): Promise<SmtpListener> =>
  openMailServer<undefined>(ctx, {
    setting: 'INBOUND_SMTP_PORT',
    port,
    maxMegabytes: ctx.settings.INBOUND_MAX_MB,
    handlers: {
      sender: async () => undefined, // any sender is allowed; the verdicts show whether it is authentic
      recipient: (address) => requireReceivingProject(ctx, address),
      message: (raw, session) => acceptMessage(ctx, raw, session),
    },
  })

async function requireReceivingProject(ctx: Context, address: string): Promise<void> {
  if (emailOfReturnPath(ctx, address)) return
  const projects = await findReceivingProjects(ctx, [address])
  if (projects.length === 0)
    throw new SmtpRefusal(550, '5.7.1 This server does not accept or relay email for this address.')
  if (projects.every(({ disabled }) => disabled)) throw notReceiving()
}

const notReceiving = () =>
  new SmtpRefusal(450, '4.2.1 This address is not accepting email at the moment. Try again later.')

async function acceptMessage(ctx: Context, raw: Buffer, session: SmtpSession<undefined>): Promise<string> {
  const startedAt = performance.now()
  const email = await ctx.messageReader
    .receive(raw, randomUUID(), networkOf(session.address))
    .catch((error: unknown) => {
      throw error instanceof UnreadableMessage ? cannotParse(error) : error
    })
  if (hopsOf(email.message.headers) > HOPS_MAX) throw new SmtpRefusal(554, '5.4.6 Mail loop detected.')
  const reception = await receiveMail(ctx, {
    sender: session.sender,
    recipients: session.recipients,
    ...email,
    hasContent: true,
    at: ctx.clock.now(),
    findVerdicts: () => {
      const { address, helo, sender } = session
      const options = { host: mailHostOf(ctx), dnsServers: ctx.settings.DNS_SERVERS }
      return ctx.messageReader.findVerdicts(raw, { address, helo, sender }, options)
    },
    startedAt,
  })
  if (reception === 'accepted') return '2.0.0 Stored.'
  if (reception === 'no-recipient') throw notReceiving() // the domain was removed meanwhile
  throw new SmtpRefusal(452, '4.2.2 The monthly inbound limit for this address has been reached. Try again later.')
}
