/**
 * The layout of the pages that the server renders, and the content security policy that allows exactly its style sheet.
 * No external requests; only the API reference has a script and fonts. Each kind of page adds its own styles.
 */

import { createHash } from 'node:crypto'
import { REFERENCE_SCRIPT } from '../openapi/api-reference-script.ts'
import { type Html, html, trusted } from './html.ts'

const COLORS_LIGHT = `--paper:#fdfcf9;--panel:#f5f2ea;--ink:#26221b;--soft:#675f51;--line:#e3ddcf;--brass:#8a5a00;
--get:#17607c;--post:#2a6b32;--put:#8a5200;--patch:#6d3a97;--delete:#a8261d;--mark:#fff3d1;`
const COLORS_DARK = `--paper:#16140f;--panel:#201d16;--ink:#ebe5d7;--soft:#a79f8d;--line:#3a352a;--brass:#e9b54a;
--get:#7cc4de;--post:#8fcf94;--put:#e5b363;--patch:#c7a1e6;--delete:#f2938a;--mark:#3a2f14;`

export const BASE_STYLE = `
:root{color-scheme:light dark;${COLORS_LIGHT}--sans:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media (prefers-color-scheme:dark){:root{${COLORS_DARK}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1.5rem}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 var(--sans);overflow-wrap:anywhere}
h1,h2,h3,h4{line-height:1.25;margin:0;text-wrap:balance}
h1{font-size:2rem;letter-spacing:-.02em}
h2{font-size:1.5rem;letter-spacing:-.015em}
h3{font-size:1.2rem;letter-spacing:-.01em}
h4{font-size:.75rem;letter-spacing:.08em;text-transform:uppercase;color:var(--soft);margin:1.75rem 0 .25rem}
p,ul{margin:.6rem 0}
a{color:var(--brass);text-underline-offset:.15em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--brass);outline-offset:2px;border-radius:3px}
code,pre,kbd{font-family:var(--mono);font-size:.86em}
p code,li code,td code,small code{background:var(--panel);border-radius:4px;padding:.1em .3em}
pre{margin:.5rem 0;padding:1rem 1.1rem;background:var(--panel);border:1px solid var(--line);border-radius:10px;line-height:1.55;white-space:pre-wrap}
pre code{font-size:.78rem;user-select:all}
.copy{float:right;margin:.35rem .4rem 0 0;padding:.1rem .55rem;font:.75rem var(--sans);color:var(--soft);background:var(--paper);border:1px solid var(--line);border-radius:6px;cursor:pointer;position:relative}
.copy:hover{color:var(--ink)}
.menu input{width:100%;margin:.6rem 0;padding:.4rem .6rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:7px}
[hidden]{display:none!important}
.soft{color:var(--soft)}
.brand{display:flex;align-items:center;gap:.55rem;color:inherit;font-weight:650;text-decoration:none}
.brand svg{width:1.6rem;height:1.6rem;color:var(--brass);flex:none}
.version{font:.75rem var(--mono);color:var(--soft);border:1px solid var(--line);border-radius:99px;padding:.1rem .5rem}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem 1rem;z-index:3}
`

const REFERENCE = `
:root{--sans:"Inter",ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;
--mono:"Geist Mono",ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.reference{display:grid;grid-template-columns:17.5rem minmax(0,1fr)}
.menu{position:sticky;top:0;height:100vh;overflow-y:auto;padding:1.5rem 1rem 3rem 1.5rem;border-right:1px solid var(--line);font-size:.875rem;line-height:1.4}
.menu summary{cursor:pointer;font-weight:650;padding:.35rem .25rem;margin-top:.6rem;border-radius:4px}
.menu ul{list-style:none;margin:0;padding:0}
.menu details+ul{margin-top:1rem}
.menu li a{display:flex;gap:.5rem;align-items:baseline;padding:.25rem .4rem;border-radius:6px;color:inherit;text-decoration:none}
.menu li a:hover{background:var(--panel)}
.menu li b{width:2.75rem;flex:none}
.close,.contents{display:none}
.menu .brand{margin-bottom:1rem}
main{padding:2.5rem clamp(1.1rem,4vw,4rem) 6rem;max-width:80rem}
section{margin-top:4.5rem}
section>h2{padding-bottom:.5rem;border-bottom:2px solid var(--ink)}
article{padding:2.25rem 0;border-bottom:1px solid var(--line)}
article:last-child{border-bottom:0}
article h3 a{color:inherit;text-decoration:none}
article h3 a:hover{text-decoration:underline}
article:target h3 a,tr:target th{background:var(--mark);box-shadow:0 0 0 .25rem var(--mark);border-radius:2px}
.place{display:flex;flex-wrap:wrap;gap:.5rem .7rem;align-items:center;margin:.6rem 0 0}
.place code{font-size:.95rem;font-weight:600;background:none;padding:0}
b[class]{font:700 .6875rem var(--mono);letter-spacing:.02em}
.place b{border:1px solid;border-radius:5px;padding:.15rem .45rem}
.get{color:var(--get)}.post{color:var(--post)}.put{color:var(--put)}.patch{color:var(--patch)}.delete{color:var(--delete)}
.who{font-size:.875rem;color:var(--soft);margin:.35rem 0 0}
table{width:100%;border-collapse:collapse;font-size:.9rem;line-height:1.5}
caption{text-align:left;font-size:.875rem;font-weight:600;padding:.8rem 0 .2rem}
th,td{text-align:left;vertical-align:top;padding:.55rem 0;border-top:1px solid var(--line);font-weight:400}
th{width:34%;padding-right:1.25rem}
th code{font-weight:600}
tr:first-child>*{border-top:0}
th em{display:block;font:.75rem var(--sans);color:var(--delete)}
th .soft{color:var(--soft)}
td i{font:.8125rem var(--mono);color:var(--soft)}
td small{display:block;font-size:.8125rem;color:var(--soft)}
.status{margin:.5rem 0 0}
.status b,.errors a{font:600 .8125rem var(--mono)}
.status b{color:var(--post)}
.errors{display:flex;flex-wrap:wrap;gap:.4rem;padding:0;list-style:none;margin:.5rem 0 0}
.errors a{display:block;color:var(--soft);border:1px solid var(--line);border-radius:5px;padding:.1rem .45rem;text-decoration:none}
.errors a:hover{color:var(--delete);border-color:currentColor}
b[aria-current]{font:inherit;color:var(--ink);border-bottom:2px solid var(--brass)}
.languages{display:flex;flex-wrap:wrap;gap:.2rem .6rem;margin:.4rem 0 .6rem;font-size:.8125rem}
.languages a{color:var(--soft);text-decoration:none;border-bottom:2px solid transparent}
.languages a:hover{color:var(--ink)}
@media (min-width:78rem){
.pair{display:grid;grid-template:auto 1fr/minmax(0,1fr) minmax(0,28rem);column-gap:2.75rem}
.example{position:sticky;top:1.5rem;align-self:start;grid-area:1/2/span 2}
.example h4{margin-top:.4rem}
}
@media (max-width:56rem){
.reference{display:block}
html{scroll-padding-top:4.5rem}
.contents{display:flex;justify-content:space-between;position:sticky;top:0;z-index:1;background:var(--paper);border-bottom:1px solid var(--line);padding:.8rem 1.1rem}
.menu{display:none}
.menu:target{display:block;position:fixed;inset:0;z-index:2;height:auto;background:var(--paper);border:0;font-size:1rem;padding:1.1rem}
.menu:target .close{display:block;float:right}
.menu li a{padding:.5rem .4rem}
main{padding-top:1.75rem}
h1{font-size:1.7rem}
}
@media (max-width:40rem){
table,caption,tbody,tr,th,td{display:block;width:auto}
th{padding:.7rem 0 0}
td{border-top:0;padding:.1rem 0 .7rem}
th em{display:inline;margin-left:.5rem}
}
@media print{.menu,.contents{display:none}.reference{display:block}}
`

/** A page with a short message. */
const PLAIN = `
.welcome{max-width:44rem;margin:0 auto;padding:clamp(2rem,9vh,6rem) 1.25rem 4rem}
`

const STYLE = BASE_STYLE + PLAIN

/** The fonts of the dashboard, from its build. Browsers show the page before they are loaded. */
const fontFace = (name: string, file: string) =>
  `@font-face{font-family:"${name}";font-weight:100 900;font-display:swap;src:url("app/assets/${file}") format("woff2")}\n`

export const REFERENCE_STYLE = `${fontFace('Inter', 'inter-latin-wght-normal.woff2')}${fontFace('Geist Mono', 'geist-mono-latin-wght-normal.woff2')}
${BASE_STYLE}${REFERENCE}`

const THEMES = `:root[data-theme=light]{color-scheme:light;${COLORS_LIGHT}}
:root[data-theme=dark]{color-scheme:dark;${COLORS_DARK}}
`

/** The style sheet of the documentation site, whose address is one folder below that of the service. */
export const siteStyle = (own: string, withFonts: boolean): string =>
  (withFonts ? REFERENCE_STYLE.replaceAll('url("app/', 'url("../app/') : BASE_STYLE + REFERENCE) + THEMES + own

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The content security policy of a page: only its style sheet, script and icon, and forms if it has any. */
export const policyFor = (style: string, formAction: "'none'" | "'self'" = "'none'", script?: string): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(style.includes('@font-face') ? ["font-src 'self'"] : []),
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    'img-src data:',
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ')

export const PAGE_CSP = policyFor(STYLE)

/** The policy of the API reference, which has a script. */
export const REFERENCE_CSP = policyFor(REFERENCE_STYLE, "'none'", REFERENCE_SCRIPT)

/** The policy of the documentation site: files and requests of this service only. */
export const SITE_CSP =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; font-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const HORN =
  '<circle cx="9.5" cy="13.5" r="6.5"/><path fill="currentColor" d="M2 7h8c4.5 0 8.5-1.3 12-5v10c-3.5-3.700-7.5-5-12-5"/>'
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" color="#b27a0a" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${HORN}</svg>`

export const iconLink: Html = html`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">`

/** A post horn: the coil, the tube and the bell. */
export const horn: Html = trusted(
  `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${HORN}</svg>`,
)

export interface Frame {
  lang: string
  style: string
  /** Excluded from search engines. */
  hidden: boolean
  script: string
}

export function page(title: string, body: Html, frame: Partial<Frame> = {}): string {
  const { lang = 'en', style = STYLE, hidden = false, script } = frame
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<title>${title}</title>
${hidden && html`<meta name="robots" content="noindex,nofollow">\n`}<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
${iconLink}
<style>${trusted(style)}</style>
</head>
<body>
${body}
${script !== undefined && html`<script>${trusted(script)}</script>`}
</body>
</html>
`.markup
}
