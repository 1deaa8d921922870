/** The service's own mail as a person gets it: sent by the real job, read from what the transport captured. */
import PostalMime from 'postal-mime'
import type { TestApp } from './harness.ts'

export interface Letter {
  subject: string
  text: string
  from: string
  /** The token of the link in it, if it has one. */
  token: string | undefined
  link: string | undefined
}

/** Everything that was sent to an address so far, oldest first. */
export async function lettersTo(app: TestApp, address: string): Promise<Letter[]> {
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

/** The newest letter to an address; its token is what most tests are after. */
export async function newestLetterTo(app: TestApp, address: string): Promise<Letter> {
  const letter = (await lettersTo(app, address)).at(-1)
  if (!letter) throw new Error(`Nothing was sent to ${address}.`)
  return letter
}
