/** A name as part of an event name: lower-case words joined by hyphens. */

/** Keeps letters and digits of any script; every other run of characters becomes one hyphen, with none at the ends. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{Nd}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
