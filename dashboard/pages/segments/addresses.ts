/** The addresses in a pasted text: a line each, or with commas, semicolons or blanks between them; each once. */
export const addressesIn = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))]
