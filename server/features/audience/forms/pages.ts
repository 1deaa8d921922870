/** The public page of a form, in the language and the brand of its project, and the form as plain HTML. */
import { type Html, html, trusted } from '../../../platform/http/html.ts'
import { type Language, languageOf, type Sender } from '../preferences/actions.ts'
import { CHECK, framed, preferencePolicy } from '../preferences/pages.ts'
import { PROVIDERS } from './captcha.ts'
import { type FormState, formTree, treeHtml } from './form-tree.ts'
import type { PublicForm } from './queries.ts'
import { FORM_TEXTS } from './texts.ts'

const STYLE = `
.posthorn-form{margin-top:1.75rem}
.posthorn-form p{margin:0 0 1.1rem}
.posthorn-field label{display:block;padding:0;border:0;margin:0 0 .35rem;font-weight:600;cursor:auto}
.posthorn-field label:has(:checked){box-shadow:none}
.posthorn-field span{font-weight:400;color:var(--soft)}
.posthorn-field input,.posthorn-field select{display:block;width:100%;height:auto;min-height:2.9rem;padding:.55rem .8rem;font:inherit;color:inherit;
background:var(--paper);border:1px solid var(--line);border-radius:11px}
.posthorn-form [aria-invalid]{border-color:var(--delete)}
.posthorn-error{display:block;margin:.35rem 0 0;color:var(--delete)}
.posthorn-consent{font-size:.875rem;color:var(--soft);white-space:pre-line}
.posthorn-trap{position:absolute;clip-path:inset(50%)}
.text{white-space:pre-line}
`

export const languageOfForm = ({ project_language }: Pick<PublicForm, 'project_language'>): Language =>
  languageOf(project_language)

const senderOf = (form: PublicForm): Sender => ({
  projectName: form.project_name,
  projectLanguage: form.project_language,
  branding: form.branding,
})

export const titleOf = (form: PublicForm): string =>
  form.title ?? FORM_TEXTS[languageOfForm(form)].title.replace('{project}', () => form.project_name)

/** What a visitor reads after a submission, whatever happened to it. */
export function thanksOf(form: PublicForm): { title: string; text: string } {
  const { thanks, confirm } = FORM_TEXTS[languageOfForm(form)]
  if (form.success_message !== null) return { title: thanks.title, text: form.success_message }
  return form.confirms ? confirm : thanks
}

export type PageState = Omit<FormState, 'language' | 'action'> & { alert?: 'many' | 'failed' }

export function formPage(form: PublicForm, { alert, ...state }: PageState): string {
  const language = languageOfForm(form)
  const tree = formTree(form, { ...state, language, action: `/f/${form.id}` })
  return framed(
    language,
    senderOf(form),
    titleOf(form),
    html`<h1>${titleOf(form)}</h1>
${form.description !== null && html`<p class="text">${form.description}</p>`}
${alert && html`<p class="saved" role="alert">${FORM_TEXTS[language][alert]}</p>`}
${treeHtml(tree)}
${captchaScript(form)}`,
    STYLE,
  )
}

export function thanksPage(form: PublicForm): string {
  const { title, text } = thanksOf(form)
  const body = html`${CHECK}<h1>${title}</h1><p class="text">${text}</p>`
  return framed(languageOfForm(form), senderOf(form), title, body, STYLE)
}

/** For a form that doesn't exist, or accepts no submissions. */
export function closedPage(language: Language): string {
  const { title, text } = FORM_TEXTS[language].closed
  return framed(language, undefined, title, html`<h1>${title}</h1><p>${text}</p>`, STYLE)
}

/** The policy of these pages. A CAPTCHA is a script and a frame of its provider. */
export function formPolicy(form: PublicForm | undefined): string {
  const policy = preferencePolicy(form?.branding ?? {}, form?.redirect_url, STYLE)
  if (!form?.captcha) return policy
  const origins = PROVIDERS[form.captcha.provider].origins.join(' ')
  const own = policy.replace('style-src ', () => `style-src ${origins} `)
  return `${own}; script-src ${origins}; frame-src ${origins}; connect-src ${origins}`
}

const captchaScript = ({ captcha }: PublicForm): Html =>
  captcha
    ? html`<script src="${PROVIDERS[captcha.provider].script}" async defer${moduleType(captcha)}></script>`
    : html``

const moduleType = ({ provider }: NonNullable<PublicForm['captcha']>): Html =>
  trusted(provider === 'friendly-captcha' ? ' type="module"' : '')

/** For a website without scripts of ours. Its look is that of the website. */
export function plainForm(form: PublicForm, action: string, token: string): string {
  const tree = formTree(form, { language: languageOfForm(form), action, token })
  const script = captchaScript(form).markup
  const markup = treeHtml(tree).markup.replace('class="posthorn-trap"', 'class="posthorn-trap" hidden')
  return script === '' ? `${markup}\n` : `${markup}\n${script}\n`
}
