/** Submits emails over SMTP with nodemailer, as a program would. */
import { createTransport, type SendMailOptions } from 'nodemailer'

type Failure = { responseCode?: number; response?: string }
type Login = { user?: string; pass?: string; port?: number; secure?: boolean }

export function createSubmitter(defaults: () => { port: number; pass: string }) {
  async function send(mail: SendMailOptions, login: Login = {}) {
    const { port, pass } = { ...defaults(), ...login }
    const client = createTransport({
      host: '127.0.0.1',
      port,
      secure: login.secure ?? false,
      auth: { user: login.user ?? 'posthorn', pass },
      tls: { rejectUnauthorized: false },
    })
    try {
      return await client.sendMail(mail)
    } finally {
      client.close()
    }
  }

  const refusal = (mail: SendMailOptions, login?: Login): Promise<Failure> =>
    send(mail, login).then(
      ({ response }) => ({ response }),
      (error: Failure) => error,
    )

  /** A busy machine may take too long to parse a large message, which is refused temporarily. */
  async function lastingRefusal(mail: SendMailOptions): Promise<Failure> {
    for (let attempt = 1; ; attempt++) {
      const failure = await refusal(mail)
      if (failure.responseCode !== 451 || attempt === 10) return failure
    }
  }

  return { send, refusal, lastingRefusal }
}
