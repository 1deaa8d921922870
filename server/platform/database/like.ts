/** A pattern for `like` and `ilike` that finds the text anywhere; `%` and `_` are escaped. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
