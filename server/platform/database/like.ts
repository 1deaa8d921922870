const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** A pattern for `like` and `ilike` that finds the text anywhere; `%` and `_` are escaped. */
export const containing = (text: string): string => `%${escaped(text)}%`

/** The same at the start. */
export const startingWith = (text: string): string => `${escaped(text)}%`
