/**
 * Names that a request sends as empty text. They change nothing the contact has; but where the contact has no value
 * either, such a name is empty in a template and not missing: `{{name ?? "you"}}` does not fall back.
 */
import type { DataChange } from '../../kernel/contact-data.ts'

/** To lie under the contact's data. */
export const blankNames = ({ sent, visible }: DataChange): Record<string, ''> =>
  Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => (value === '' && !(name in visible) ? [[name, value]] : [])),
  )
