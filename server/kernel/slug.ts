/** A name as part of an event's name: lower-case words joined by hyphens. */

/** Letters and digits of any script stay; every run of anything else becomes one hyphen, and none is left at the ends. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{Nd}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
