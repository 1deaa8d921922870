/** The HTML of a notice, generated from its text: only paragraphs and links, for all mail clients. */
import { type Html, html } from '../../platform/http/html.ts'

const WEB_ADDRESS = /^https?:\/\/\S+$/

export function htmlOf(text: string): string {
  const paragraphs = text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => html`<p>${linesOf(paragraph)}</p>`)
  return html`<div style="font-family:sans-serif;font-size:15px;line-height:1.5">${paragraphs}</div>`.markup
}

function linesOf(paragraph: string): Html[] {
  return paragraph.split('\n').map((line, i) => html`${i > 0 && html`<br>`}${lineOf(line)}`)
}

const lineOf = (line: string): Html => (WEB_ADDRESS.test(line) ? html`<a href="${line}">${line}</a>` : html`${line}`)
