/** In development, simulates a recipient's or a mail server's reaction to one captured email. */
import type { Context } from '../../../context.ts'
import { conflict, notFound } from '../../../kernel/errors.ts'
import { replaceLinks } from '../../../platform/html/html-reader.ts'
import { readClickToken } from '../../content/composing/links.ts'
import { recordBounces, recordComplaints } from '../delivery/outcomes.ts'
import type { Tracking } from '../tracking/actions.ts'
import { findEmailHtml, getEmailRecord } from './actions.ts'
import type { SimulateInput } from './schemas.ts'

const UNSENT = new Set(['SCHEDULED', 'PENDING', 'SENDING', 'FAILED', 'CANCELLED', 'SKIPPED', 'RECEIVED'])

const NOT_CAPTURED =
  'Outcomes can only be simulated while email is captured (MAIL_URL=capture:), or of email that was sent with a test key.'

export async function simulateOutcome(
  ctx: Context,
  tracking: Tracking,
  projectId: string,
  id: string,
  input: SimulateInput,
) {
  const email = await getEmailRecord(ctx, projectId, id)
  if (!ctx.mail.capabilities.captures && !email.test) throw notFound('simulator', id, NOT_CAPTURED)
  if (UNSENT.has(email.status))
    throw conflict(`This email hasn't been sent (${email.status}), so there is nothing to simulate.`)
  const outcome = { projectId, emailId: id, at: ctx.clock.now() }
  switch (input.outcome) {
    case 'open':
      await tracking.recordOpen({ ...outcome, isBot: false })
      break
    case 'click': {
      const link = input.link ?? (await firstLink(ctx, projectId, id)) ?? ctx.baseUrl
      await tracking.recordClick({ ...outcome, isBot: false, link })
      break
    }
    case 'bounce':
      await recordBounces(ctx, [{ ...outcome, permanent: true, response: '550 5.1.1 Simulated: no such mailbox.' }])
      break
    case 'softbounce':
      await recordBounces(ctx, [
        { ...outcome, permanent: false, response: '452 4.2.2 Simulated: the mailbox is full.' },
      ])
      break
    case 'complaint':
      await recordComplaints(ctx, [outcome])
  }
  return getEmailRecord(ctx, projectId, id)
}

/** The link as it was before tracking. */
async function firstLink(ctx: Context, projectId: string, id: string): Promise<string | undefined> {
  const links: string[] = []
  replaceLinks((await findEmailHtml(ctx, projectId, id)) ?? '', (link) => {
    const token = link.startsWith(`${ctx.baseUrl}/t/c/`) ? link.slice(`${ctx.baseUrl}/t/c/`.length) : ''
    if (/^https?:/i.test(link)) links.push(readClickToken(ctx.secrets, token)?.link ?? link)
    return undefined
  })
  return links[0]
}
