/** The distinct addresses in a text, separated by whitespace, commas or semicolons. */
export const addressesIn = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))]
