const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** A pattern for `like` and `ilike` that finds the text anywhere; `%` and `_` are escaped. */
export const containing = (text: string): string => `%${escaped(text)}%`

/** A pattern for texts that start with this one. */
export const startingWith = (text: string): string => `${escaped(text)}%`

/** Letters that stand for a plain one, although they aren't made of it and a mark. */
const OWN_LETTERS: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ı: 'i' }

/** In lower case and without accents: "João" is "joao". */
export const plainText = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[øłđı]/g, (letter) => OWN_LETTERS[letter]!)

/** The Latin letters in Unicode, with their accents. */
const LATIN = [
  [0x41, 0x24f],
  [0x1e00, 0x1eff],
] as const

/** "a" → "AaÀÁ…". */
const LETTERS = new Map<string, string>()
for (const [first, last] of LATIN) {
  for (let code = first; code <= last; code++) {
    const letter = String.fromCharCode(code)
    const plain = plainText(letter)
    if (/^[a-z]$/.test(plain)) LETTERS.set(plain, (LETTERS.get(plain) ?? '') + letter)
  }
}

/**
 * PostgreSQL compiles a pattern for each statement, in a time that grows with the square of its length. So longer texts are
 * searched in upper and lower case only, and even longer ones as they are.
 */
const WITH_ACCENTS_MAX = 100
const IN_ANY_CASE_MAX = 1_000

/**
 * A regular expression that finds the text anywhere, whatever the case and the accents of either. It is for texts that no index is
 * searched for, and doesn't depend on the locale of the database: `lower` and `ilike` change only ASCII in some. It takes no
 * longer than `lower` and `like`.
 */
export const resembling = (text: string): string => {
  const characters = [...text.normalize('NFC')]
  if (characters.length > IN_ANY_CASE_MAX) return `***=${text}`
  return characters.map((one) => patternOf(one, characters.length <= WITH_ACCENTS_MAX)).join('')
}

function patternOf(character: string, withAccents: boolean): string {
  const letters = withAccents && LETTERS.get(plainText(character))
  if (letters) return `[${letters}][\u0300-\u036f]*` // an accent can also be a character of its own
  const cases = new Set(
    [character, character.toLowerCase(), character.toUpperCase()].filter((one) => [...one].length === 1),
  )
  if (cases.size > 1) return `[${[...cases].join('')}]`
  return character.replace(/[!-/:-@[-`{-~]/, '\\$&')
}
