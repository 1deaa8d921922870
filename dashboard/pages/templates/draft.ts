/** A template while it is written: empty texts instead of nothing. */
import type { Schemas } from '../../api.ts'

export type Draft = Pick<Schemas['Template'], 'name' | 'subject' | 'body' | 'from' | 'type'> & {
  fromName: string
  replyTo: string
}
