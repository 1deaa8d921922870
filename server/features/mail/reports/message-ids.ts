/** How a report, or a message that returns, shows which email it is about and who sent it. Pure. */
import { isId } from '../../../kernel/ids.ts'

/** Our own Message-IDs start with the id of the email. */
export function ownIdIn(messageId: string): string | null {
  const id = messageId.slice(0, messageId.indexOf('@'))
  return isId(id) ? id.toLowerCase() : null
}

/** The authors of the reports that mail servers send. Providers don't give these addresses to users. */
export const isMailServer = (author: string): boolean => /^(?:mailer-daemon|postmaster)@/.test(author)
