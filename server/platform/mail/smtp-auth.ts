/** Proves who we are with a password: PLAIN, LOGIN or CRAM-MD5, the first of these that the server offers. */
import { createHmac } from 'node:crypto'
import { refusalOf, SmtpError } from './smtp-error.ts'
import type { Reply } from './smtp-reply-reader.ts'
import { askOne, type Wire } from './smtp-wire.ts'

export interface Credentials {
  user: string
  pass: string
}

type Say = (words: string) => Promise<Reply>
/** Says what the method has to say and returns the answer to the last of it. */
type Method = (say: Say, credentials: Credentials) => Promise<Reply>

/** In the order of our liking. A server that offers none of them is tried with the first. */
const METHODS: Record<string, Method> = {
  PLAIN: async (say, { user, pass }) => {
    const response = base64(`\0${user}\0${pass}`)
    const answer = await say(`AUTH PLAIN ${response}`)
    return answer.code === 334 ? say(response) : answer
  },
  LOGIN: async (say, { user, pass }) => {
    for (const words of ['AUTH LOGIN', base64(user)]) {
      const answer = await say(words)
      if (answer.code !== 334) return answer
    }
    return say(base64(pass))
  },
  'CRAM-MD5': async (say, { user, pass }) => {
    const challenge = await say('AUTH CRAM-MD5')
    if (challenge.code !== 334) return challenge
    const question = Buffer.from(challenge.text.slice(4), 'base64')
    return say(base64(`${user} ${createHmac('md5', pass).update(question).digest('hex')}`))
  },
}

export async function authenticate(wire: Wire, offered: readonly string[], credentials: Credentials): Promise<void> {
  if (credentials.pass === '') {
    throw new SmtpError({ message: 'MAIL_URL has a user but no password.', code: 'EAUTH', command: 'AUTH' }, true)
  }
  const name = Object.keys(METHODS).find((method) => offered.includes(method)) ?? 'PLAIN'
  const answer = await METHODS[name]!((words) => askOne(wire, `${words}\r\n`), credentials)
  if (answer.code < 200 || answer.code > 299) throw new SmtpError(refusalOf('EAUTH', `AUTH ${name}`, answer), true)
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
