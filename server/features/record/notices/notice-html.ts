/**
 * The HTML of a notice, generated from its text: a card with the subject, its paragraphs and a button for each link
 * that is a paragraph. Tables and inline styles, for all mail clients.
 */
import { type Html, html, trusted } from '../../../platform/http/html.ts'

interface NoticeText {
  subject: string
  text: string
  /** The label of the button for a link. */
  action?: string | undefined
}

const WEB_ADDRESS = /^https?:\/\/\S+$/
const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const OPEN = 'Open Posthorn'

/** Clients that don't apply these show the light colors of the inline styles. */
const STYLES = trusted(`<style>
a{color:#7d5200}
@media (max-width:480px){.card{padding:24px 20px 8px!important}.button{display:block!important;text-align:center!important}}
@media (prefers-color-scheme:dark){
.page{background:#14120e!important}
.card{background:#1b1914!important;border-color:#302c23!important}
.text{color:#ece7db!important}
.soft{color:#a9a191!important}
.brand,a{color:#e6b450!important}
.button{background:#e6b450!important;color:#1c1508!important}
}
</style>`)

export function htmlOf({ subject, text, action = OPEN }: NoticeText): string {
  const paragraphs = text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => (WEB_ADDRESS.test(paragraph.trim()) ? buttonOf(paragraph.trim(), action) : textOf(paragraph)))
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${subject}</title>${STYLES}</head>
<body class="page" style="margin:0;padding:0;background:#faf9f6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="page" style="background:#faf9f6"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;text-align:left">
<tr><td class="brand" style="${FONT};padding:0 0 16px;font-size:17px;font-weight:700;color:#7d5200">Posthorn</td></tr>
<tr><td class="card" style="background:#ffffff;border:1px solid #e6e2d8;border-radius:12px;padding:32px 32px 16px">
<h1 class="text" style="${FONT};margin:0 0 16px;font-size:20px;line-height:1.35;font-weight:600;color:#1f1c17">${subject}</h1>
${paragraphs}</td></tr>
</table>
</td></tr></table>
</body></html>`.markup
}

const textOf = (paragraph: string): Html =>
  html`<p class="text" style="${FONT};margin:0 0 16px;font-size:15px;line-height:1.6;color:#1f1c17">${linesOf(paragraph)}</p>
`

/** The address is also shown as text, for clients that don't open links and for readers who check it first. */
const buttonOf = (link: string, label: string): Html =>
  html`<p style="margin:24px 0 16px"><a class="button" href="${link}" style="${FONT};display:inline-block;padding:12px 24px;border-radius:8px;background:#7d5200;color:#ffffff;font-size:15px;line-height:1.4;font-weight:600;text-decoration:none">${label}</a></p>
<p class="soft" style="${FONT};margin:0 0 24px;font-size:13px;line-height:1.5;color:#655e52;overflow-wrap:anywhere;word-break:break-word">Or open this link: <a href="${link}">${link}</a></p>
`

function linesOf(paragraph: string): Html[] {
  return paragraph.split('\n').map((line, i) => html`${i > 0 && html`<br>`}${lineOf(line)}`)
}

const lineOf = (line: string): Html => (WEB_ADDRESS.test(line) ? html`<a href="${line}">${line}</a>` : html`${line}`)
