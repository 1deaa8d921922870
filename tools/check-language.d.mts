export function oddWordsIn(text: string, isComment?: boolean): Array<{ found: string; replacement: string }>
export function straightApostrophesIn(text: string, name: string): Array<{ found: string; replacement: string }>
export function textsOf(code: string, name: string): Array<{ line: number; text: string }>
export function commentsOf(code: string): Array<{ line: number; text: string }>
export function oddIdentifiersIn(code: string, name: string): Array<{ line: number; found: string }>
export function testNamesOf(code: string, name: string): Array<{ line: number; text: string }>
export function partialTestNamesIn(
  code: string,
  name: string,
): Array<{ line: number; found: string; replacement: string }>
