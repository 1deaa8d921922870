/** The two pages after a provider redirects back: the error page, and the page for the second factor. */
import { type Html, html } from '../../../platform/http/html.ts'
import { BASE_STYLE, horn, page, policyFor } from '../../../platform/http/page-look.ts'

const STYLE = `${BASE_STYLE}
body{min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1.25rem;background:var(--panel)}
main{width:100%;max-width:26rem;padding:clamp(1.5rem,6vw,2.5rem);background:var(--paper);border:1px solid var(--line);border-radius:18px}
.brand{margin-bottom:1.5rem}
h1{font-size:1.4rem}
form{margin:1.25rem 0 0}
label{display:block;font-weight:600}
input{display:block;width:100%;min-height:3rem;margin:.4rem 0 1rem;padding:.6rem .9rem;font:1.1rem var(--mono);letter-spacing:.08em;
color:var(--ink);background:var(--paper);border:1px solid var(--line);border-radius:11px}
button{width:100%;min-height:3rem;font:600 1rem/1.3 var(--sans);border-radius:11px;cursor:pointer;border:1px solid var(--brass);background:var(--brass);color:var(--paper)}
.wrong{color:var(--delete)}
`

export const OAUTH_POLICY = policyFor(STYLE, "'self'")

export const failurePage = (message: string, home: string): string =>
  framed('Sign-in failed', html`<p>${message}</p><p><a href="${home}">Back to sign in</a></p>`)

/** The form's URL is absolute, because the page is shown at several URLs. */
export const codePage = (action: string, wrong?: string): string =>
  framed(
    'Two-factor authentication',
    html`<p>Enter the code from your authenticator app, or one of your recovery codes.</p>
<form method="post" action="${action}">
${wrong !== undefined && html`<p class="wrong" role="alert">${wrong}</p>`}
<label for="code">Code</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="40" required autofocus>
<button>Sign in</button>
</form>`,
  )

const framed = (title: string, body: Html): string =>
  page(title, html`<main><p class="brand">${horn} Posthorn</p><h1>${title}</h1>${body}</main>`, {
    style: STYLE,
    hidden: true,
  })
