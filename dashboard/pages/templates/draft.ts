/** A template in the editor, and the content of a new one. */
import type { Schemas } from '../../api.ts'
import { texts } from './texts.ts'

export type Draft = Pick<Schemas['Template'], 'name' | 'subject' | 'body' | 'from' | 'type'> & {
  fromName: string
  replyTo: string
}

const STARTER_BODY = `<div style="font-family: sans-serif; max-width: 560px; margin: 0 auto; padding: 24px">
  <h1 style="font-size: 22px">${texts.starterBody.greeting}</h1>
  <p>${texts.starterBody.text}</p>
</div>
`

export const blankDraft = (from: string): Draft => ({
  name: '',
  subject: '',
  body: STARTER_BODY,
  from,
  fromName: '',
  replyTo: '',
  type: 'MARKETING',
})
