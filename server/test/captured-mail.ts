/** The service's own emails as a person receives them: sent by the real job, read from what the transport captured. */
import PostalMime from 'postal-mime'
import type { TestApp } from './harness.ts'

export interface CapturedEmail {
  subject: string
  text: string
  from: string
  /** The token of the link in the email, if there is one. */
  token: string | undefined
  link: string | undefined
}

/** All emails to an address so far, oldest first. */
export async function emailsTo(app: TestApp, address: string): Promise<CapturedEmail[]> {
  await app.drain()
  const rows = (await app.captured()).filter((row) => row.recipients.includes(address))
  return Promise.all(
    rows.map(async ({ raw }) => {
      const mail = await PostalMime.parse(raw)
      const link = /^https?:\S+$/m.exec(mail.text ?? '')?.[0]
      const token = link && (new URL(link).searchParams.get('token') ?? undefined)
      return { subject: mail.subject ?? '', text: mail.text ?? '', from: mail.from?.address ?? '', link, token }
    }),
  )
}

/** The newest email to an address; most tests need its token. */
export async function newestEmailTo(app: TestApp, address: string): Promise<CapturedEmail> {
  const email = (await emailsTo(app, address)).at(-1)
  if (!email) throw new Error(`Nothing was sent to ${address}.`)
  return email
}
