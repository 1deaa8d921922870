/** A template while it is written: empty texts instead of nothing; the kinds there are, and what a new one says. */
import type { Schemas } from '../../api.ts'

export type Draft = Pick<Schemas['Template'], 'name' | 'subject' | 'body' | 'from' | 'type'> & {
  fromName: string
  replyTo: string
}

export const TYPES = { MARKETING: 'Marketing', TRANSACTIONAL: 'Transactional', HEADLESS: 'Headless' }

const FIRST_BODY = `<div style="font-family: sans-serif; max-width: 560px; margin: 0 auto; padding: 24px">
  <h1 style="font-size: 22px">Hello {{name ?? "there"}}</h1>
  <p>Write something worth reading.</p>
</div>
`

export const blankLetter = (from: string): Draft => ({
  name: '',
  subject: '',
  body: FIRST_BODY,
  from,
  fromName: '',
  replyTo: '',
  type: 'MARKETING',
})
