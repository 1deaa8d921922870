export function oddWordsIn(text: string): Array<{ found: string; replacement: string }>
export function textsOf(code: string, name: string): Array<{ line: number; text: string }>
export function docCommentsOf(code: string): Array<{ line: number; text: string }>
