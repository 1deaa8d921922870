/** Plain text as equivalent HTML: paragraphs and line breaks, with everything escaped. */
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function textToHtml(text: string): string {
  const lines = text
    .replaceAll(/\r\n?/g, '\n')
    .trim()
    .replace(/[&<>"']/g, (character) => ESCAPES[character]!)
  if (lines === '') return ''
  return lines
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>\n')}</p>`)
    .join('\n')
}
