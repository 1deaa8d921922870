/**
 * Names that people chose, as they may stand in the service's own emails. The reader may not know the person who chose
 * the name, so it can't contain anything that a mail client turns into a link.
 */

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Web addresses also without "https://", email addresses, and numbers that a phone could call. */
const LINK_LIKE = /\S*(?::\/|\/\/|@|www\.|[\p{L}\p{N}][.。][\p{L}\p{N}])\S*|\+?\d(?:[\s()./-]*\d){6,}/giu
const NAME_MAX = 60

/** "the project “Acme”". */
export function nameInEmail(noun: string, name: string): string {
  const text = oneLine(name.normalize('NFKC').replaceAll(/\p{C}/gu, (hidden) => (/\s/.test(hidden) ? ' ' : '')))
  const shown = oneLine(text.replaceAll(LINK_LIKE, ' … ')).replaceAll(/…(?: …)+/g, '…')
  if (!/[\p{L}\p{N}\p{Emoji_Presentation}]/u.test(shown)) return `a ${noun}`
  const characters = [...shown]
  return `the ${noun} “${characters.length > NAME_MAX ? `${characters.slice(0, NAME_MAX).join('')}…` : shown}”`
}
