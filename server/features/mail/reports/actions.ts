/** Records what mail servers report about emails that we sent, in messages to the return path or to an ordinary address. */
import type { Context } from '../../../context.ts'
import { normalizeDomain, senderDomain } from '../../../kernel/email-address.ts'
import type { ParsedMessage } from '../../../platform/mime/parse-message.ts'
import type { Verdicts } from '../../../platform/mime/verdicts.ts'
import { recordBounces, recordComplaints, recordDeliveries, recordNotes } from '../delivery/outcomes.ts'
import { emailOfReturnPath } from '../delivery/signing.ts'
import { isMailServer, ownIdIn } from './message-ids.ts'
import { findAddressed, findSentEmails } from './queries.ts'
import { type About, type Report, readPlainBounce, readReport, reportAbout } from './read-report.ts'

/** What of a received message decides whether it is a report, and whether it is trusted. */
interface MailWithReport {
  sender: string
  recipients: string[]
  message: ParsedMessage
  at: Date
  findVerdicts(): Promise<Verdicts>
}

interface EmailRef {
  projectId: string
  emailId: string
}

/** Records what was sent to return paths. Returns how many there were, and the other recipients. */
export async function recordReturned(
  ctx: Context,
  mail: MailWithReport,
): Promise<{ returned: number; others: string[] }> {
  const others: string[] = []
  const emails: EmailRef[] = []
  for (const address of mail.recipients) {
    const email = emailOfReturnPath(ctx, address)
    if (email) emails.push(email)
    else others.push(address)
  }
  if (emails.length > 0) {
    const read = readReport(mail.message)
    const report = read?.report ?? readPlainBounce(mail.message)
    for (const email of emails) await record(ctx, email, report, { at: mail.at, about: read?.about })
  }
  return { returned: emails.length, others }
}

/**
 * A report to an ordinary address. It is recorded if it is about an email of a project that received it. Everyone who
 * received the email knows its Message-ID, so a report found by that alone has an effect only if the mail server of the
 * recipient's domain sent it; otherwise it is a note in the timeline and an ordinary received email. Returns the projects
 * that need no received email.
 */
export async function recordReport(
  ctx: Context,
  mail: MailWithReport,
  projects: Array<{ projectId: string }>,
): Promise<Set<string>> {
  const read = readReport(mail.message)
  if (!read) return new Set()
  const { report, about } = read
  const projectIds = projects.map(({ projectId }) => projectId)
  const signed = about.returnPaths.flatMap((path) => emailOfReturnPath(ctx, path) ?? [])
  const emailId = signed[0]?.emailId ?? ownIdIn(about.messageId)
  if (!emailId || projectIds.length === 0) return new Set()
  const recorded = new Set<string>()
  for (const { projectId, to } of await findSentEmails(ctx.db, projectIds, emailId)) {
    const email = { projectId, emailId }
    if (signed.length > 0 || (isAbout(to, about) && (await isFromServerOf(to, mail)))) {
      await record(ctx, email, report, { at: mail.at, about })
      recorded.add(projectId)
    } else if ('response' in report) {
      const text = `A ${report.kind} report could not be authenticated and was ignored: ${report.response}`
      await recordNotes(ctx, [{ ...email, at: mail.at, kind: 'unproven-report', text }])
    }
  }
  return recorded
}

/** Whether every outcome in the report is that of this recipient. Anyone can cause a bounce of another address. */
const isAbout = (recipient: string, { recipients }: About): boolean =>
  recipients.length > 0 && recipients.every((addresses) => addresses.includes(recipient))

/**
 * Whether the mail server of the recipient's domain sent the report. DMARC also passes for each of its users and for
 * subdomains, so the envelope sender must be empty, the author a mail server, and the authenticated domain the same.
 */
async function isFromServerOf(recipient: string, { sender, message, findVerdicts }: MailWithReport): Promise<boolean> {
  const domain = senderDomain(recipient)
  const author = message.authors.length === 1 ? message.authors[0]! : ''
  if (sender !== '' || !isMailServer(author) || senderDomain(author) !== domain) return false
  const { dmarcVerdict, authenticatedDomains = [] } = await findVerdicts()
  return dmarcVerdict === 'PASS' && authenticatedDomains.some((name) => normalizeDomain(name) === domain)
}

/** A report about a recipient in `cc` or `bcc` is a note in the timeline and changes no contact. */
async function record(
  ctx: Context,
  email: EmailRef,
  report: Report,
  { at, about }: { at: Date; about: About | undefined },
): Promise<void> {
  const addressed = await findAddressed(ctx.db, email)
  if (!addressed?.hasCopies) return recordOutcome(ctx, email, report, at)
  const { own, others } = reportAbout(addressed.to, report, about)
  await recordNotes(
    ctx,
    others.map((text) => ({ ...email, at, kind: 'copy-report', text })),
  )
  await recordOutcome(ctx, email, own, at)
}

async function recordOutcome(ctx: Context, email: EmailRef, report: Report, at: Date): Promise<void> {
  switch (report.kind) {
    case 'bounce':
      return recordBounces(ctx, [{ ...email, at, permanent: report.permanent, response: report.response }])
    case 'complaint':
      return recordComplaints(ctx, [{ ...email, at, response: report.response }])
    case 'delivered':
      return recordDeliveries(ctx, [{ ...email, at, response: report.response }])
    case 'deferred':
      return recordNotes(ctx, [{ ...email, at, kind: 'deferred', text: report.response }])
  }
}
