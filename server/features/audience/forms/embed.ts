/**
 * The script that inserts a form into a website. It needs no markup of its own, no inline script and no inline style, so
 * it works with a strict content security policy that allows our origin for `script-src` and `connect-src`.
 */
import { textColorOn } from '../../../kernel/content/colors.ts'
import { PROVIDERS } from './captcha.ts'
import { formTree } from './form-tree.ts'
import { languageOfForm } from './pages.ts'
import type { PublicForm } from './queries.ts'
import { LEAST_MS, UTM_NAMES } from './submission.ts'
import { FORM_TEXTS } from './texts.ts'

const STYLE = `.posthorn-form{display:grid;gap:1rem;max-width:30rem;text-align:start;overflow-wrap:anywhere}
.posthorn-form p,.posthorn-form fieldset{margin:0;padding:0;border:0}
.posthorn-form fieldset{display:grid;gap:.5rem}
.posthorn-form legend{padding:0;margin:0 0 .5rem}
.posthorn-field label{display:block;margin:0 0 .3rem}
.posthorn-field span,.posthorn-consent,.posthorn-form small{opacity:.75}
.posthorn-form small{display:block}
.posthorn-field input,.posthorn-field select{box-sizing:border-box;width:100%;padding:.55rem .7rem;font:inherit;border:1px solid #8888;border-radius:8px}
.posthorn-form label:has([type=checkbox]){display:flex;gap:.5rem;align-items:baseline}
.posthorn-form button{padding:.65rem 1.1rem;font:inherit;font-weight:600;border:0;border-radius:8px;cursor:pointer;background:COLOR;color:TEXT}
.posthorn-form button:disabled{opacity:.6}
.posthorn-form .posthorn-error{opacity:1;color:#b3261e}
.posthorn-consent{font-size:.875em}
.posthorn-consent,.posthorn-done{white-space:pre-line}`

const DEFAULT_COLOR = '#1f2937'

/**
 * `facts` are inserted before it. Sent without its indentation, so that a form with 20 fields is still below 10 KB. IDs have a
 * suffix if the page has another form. If the script can't send the form, the policy may allow the form to be sent as a page.
 */
const SCRIPT = `
const own = document.currentScript
const shown = Date.now()
let suffix
const build = ([tag, attributes, ...children]) => {
  const element = document.createElement(tag)
  for (const name in attributes) element.setAttribute(name, attributes[name] + (/^(id|for)$/.test(name) ? suffix : ''))
  element.append(...children.map((child) => Array.isArray(child) ? build(child) : child))
  return element
}
const insert = () => {
  suffix = document.querySelectorAll('.posthorn').length || ''
  const root = build(['div', { class: 'posthorn' }, facts.tree])
  const form = root.firstChild
  const button = root.querySelector('button')
  const inputOf = (name) => root.querySelector('[name="' + CSS.escape(name) + '"]')
  const visit = new URLSearchParams(location.search)
  const hide = (name, value) => {
    if (value && !inputOf(name)) button.before(build(['input', { type: 'hidden', name, value }]))
  }
  for (const name of facts.utm) hide(name, visit.get(name))
  hide('referrer', document.referrer)
  try {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(facts.style)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  } catch {}
  root.querySelector('.posthorn-trap').style.cssText = 'position:absolute;clip-path:inset(50%)'
  let isBlocked = false
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    if (effectiveDirective === 'connect-src') isBlocked = true
  })
  const clear = () => {
    for (const error of root.querySelectorAll('.posthorn-error')) error.remove()
    for (const input of root.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid')
  }
  const fail = (text, input) => {
    const error = build(['small', { class: 'posthorn-error', role: 'alert' }, text])
    if (!input) return button.before(error)
    input.setAttribute('aria-invalid', 'true')
    input.closest('p').append(error)
  }
  const refuse = (status, problems) => {
    let known = false
    for (const { field } of problems) {
      const input = root.querySelector('#' + CSS.escape('posthorn-' + field + suffix))
      if (!input) continue
      const isEmpty = input.type === 'checkbox' || !input.value.trim()
      fail(isEmpty ? facts.required : input.type === 'email' ? facts.address : facts.invalid, input)
      if (!known) input.focus()
      known = true
    }
    const isRobot = problems.some(({ code }) => code === 'captcha_failed')
    if (!known) fail(isRobot ? facts.captcha : status === 429 ? facts.many : status === 404 ? facts.closed : facts.failed)
  }
  const send = async () => {
    const wait = (ms) => new Promise((done) => setTimeout(done, ms))
    await wait(Math.max(0, shown + facts.leastMs - Date.now()))
    let response
    try {
      const body = new URLSearchParams(new FormData(form))
      response = await fetch(facts.tree[1].action, { method: 'POST', headers: { accept: 'application/json' }, body })
    } catch {
      await wait(200)
      if (isBlocked) return HTMLFormElement.prototype.submit.call(form)
      return fail(facts.failed)
    }
    const reply = await response.json().catch(() => ({}))
    if (!response.ok) return refuse(response.status, reply.error?.errors || [])
    if (reply.redirectUrl) return location.assign(reply.redirectUrl)
    const done = build(['p', { class: 'posthorn-done', role: 'status', tabindex: '-1' }, reply.message])
    root.replaceWith(done)
    done.focus()
  }
  root.addEventListener('submit', async (event) => {
    event.preventDefault()
    clear()
    button.disabled = true
    await send()
    button.disabled = false
  })
  const target = own && own.dataset.target && document.querySelector(own.dataset.target)
  if (target) target.append(root)
  else if (own) own.after(root)
  else document.body.append(root)
  if (facts.script) document.head.append(build(['script', facts.script]))
}
if (own && own.dataset.target && document.readyState === 'loading') document.addEventListener('DOMContentLoaded', insert)
else insert()
`

const COMPACT = SCRIPT.replaceAll(/\n +/g, '\n')

export function embedScript(form: PublicForm, action: string, token: string): string {
  const language = languageOfForm(form)
  const texts = FORM_TEXTS[language]
  const color = form.branding.color ?? DEFAULT_COLOR
  const provider = form.captcha && PROVIDERS[form.captcha.provider]
  const facts = {
    tree: formTree(form, { language, action, token }),
    style: STYLE.replace('COLOR', color).replace('TEXT', textColorOn(color)),
    utm: UTM_NAMES,
    /** Clocks differ a little. */
    leastMs: LEAST_MS + 300,
    required: texts.required,
    address: texts.address,
    invalid: texts.invalid,
    captcha: texts.captcha,
    many: texts.many,
    closed: texts.closed.text,
    failed: texts.failed,
    ...(provider && {
      script: {
        src: provider.script,
        async: true,
        ...(form.captcha!.provider === 'friendly-captcha' && { type: 'module' }),
      },
    }),
  }
  return `(() => {\nconst facts = ${JSON.stringify(facts)}${COMPACT}})()\n`
}
