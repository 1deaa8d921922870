/** Plain text as HTML that reads the same: paragraphs, line breaks, nothing that could be markup. */
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
