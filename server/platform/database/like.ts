const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** A pattern for `like` and `ilike` that finds the text anywhere; `%` and `_` are escaped. */
export const containing = (text: string): string => `%${escaped(text)}%`

/** A pattern for texts that start with this one. */
export const startingWith = (text: string): string => `${escaped(text)}%`
