/** The page about an error code, to which `error.docsUrl` links. */
import { ERROR_CODES, type ErrorCode } from '../../../kernel/error-codes.ts'
import { notFound } from '../../../kernel/errors.ts'
import { type Html, html } from '../../../platform/http/html.ts'
import { horn, page } from '../../../platform/http/page-look.ts'

export function errorPage(code: string): string {
  if (!Object.hasOwn(ERROR_CODES, code)) throw notFound('error code', code, `There is no error code ${code}.`)
  const { status, meaning, advice } = ERROR_CODES[code as ErrorCode]
  return page(
    `${code} · Posthorn`,
    html`<main class="welcome"><a class="brand" href="/docs">${horn}Posthorn</a>
<h1>${code}</h1>
<p class="soft">HTTP status ${status}</p>
<h2>What it means</h2>
<p>${withCode(meaning)}</p>
<h2>What to do</h2>
<p>${withCode(advice)}</p>
<p><a href="/docs">API reference</a></p></main>`,
  )
}

/** Text between backticks is code. */
const withCode = (text: string): Html[] =>
  text.split('`').map((part, i) => (i % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
