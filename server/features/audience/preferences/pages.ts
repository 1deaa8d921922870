/**
 * The HTML pages behind preference links: one question and one button, in the recipient's language and with the
 * sender's name, logo and color. They need no scripts, so that they always work.
 */
import type { Branding } from '../../../kernel/content/branding.ts'
import { textColorOn } from '../../../kernel/content/colors.ts'
import { type Html, html, trusted } from '../../../platform/http/html.ts'
import { BASE_STYLE, horn, page, policyFor } from '../../../platform/http/page-look.ts'
import {
  LANGUAGES,
  type Language,
  languageOf,
  PAUSE_DAYS,
  type Reader,
  type ReaderTopic,
  type Sender,
  textsIn,
} from './actions.ts'
import type { PageTexts } from './texts/types.ts'

export type PreferencePage = 'unsubscribe' | 'subscribe' | 'manage'

const STYLE = `${BASE_STYLE}
body{min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1.25rem;background:var(--panel)}
main{width:100%;max-width:30rem;padding:clamp(1.5rem,6vw,2.75rem);background:var(--paper);border:1px solid var(--line);border-radius:18px;
box-shadow:0 1px 2px rgb(0 0 0/.04),0 12px 32px -12px rgb(0 0 0/.12)}
.sender{display:flex;align-items:center;gap:.7rem;margin:0 0 1.75rem;font-weight:600}
.sender b{display:grid;place-items:center;flex:none;width:2.25rem;height:2.25rem;border-radius:50%;background:var(--brass);color:var(--paper)}
.sender img{flex:none;height:2.25rem;max-width:9rem;object-fit:contain}
.mark{display:flex;align-items:center;gap:.5rem;margin:0 0 1.5rem;font-size:.9375rem;font-weight:600;color:var(--soft)}
.mark svg{width:1.35rem;height:1.35rem;flex:none;color:var(--brass)}
.address{margin:1.75rem 0 0;font-size:.8125rem;color:var(--soft);white-space:pre-line}
h1{font-size:clamp(1.4rem,5vw,1.7rem)}
h1+p{margin:.75rem 0 1.75rem;color:var(--soft)}
strong{color:var(--ink);font-weight:600}
.sign{width:2.5rem;height:2.5rem;margin:0 0 .9rem;display:block;color:var(--post)}
form{margin:0}
button{display:block;width:100%;min-height:3rem;padding:.7rem 1.25rem;font:600 1rem/1.3 var(--sans);border-radius:11px;cursor:pointer;
border:1px solid var(--brass);background:var(--brass);color:var(--paper)}
button:hover{filter:brightness(1.08)}
button.quiet{background:none;border-color:var(--line);color:var(--ink)}
button.quiet:hover{border-color:var(--brass);filter:none}
button.small{width:auto;min-height:0;padding:.35rem .5rem;border:0;font:inherit;font-size:.9rem;color:var(--soft);text-decoration:underline}
button:focus-visible{outline-offset:3px;border-radius:11px}
.more{display:flex;flex-wrap:wrap;gap:0 1rem;margin:1.1rem -.5rem 0;font-size:.9rem}
.more a{display:inline-block;padding:.35rem .5rem;color:var(--soft)}
.state{display:inline-block;margin:.6rem 0 0;padding:.15rem .7rem;font-size:.8125rem;border:1px solid var(--line);border-radius:99px;color:var(--soft)}
.state.on{color:var(--post);border-color:currentColor}
.saved{margin:1.25rem 0 0;padding:.7rem .95rem;border-radius:11px;background:var(--mark)}
fieldset{border:0;margin:1.25rem 0 1.5rem;padding:0;display:grid;gap:.7rem}
legend{padding:0;margin:0 0 .9rem;color:var(--soft)}
label{display:flex;gap:.85rem;align-items:center;padding:.85rem 1rem;border:1px solid var(--line);border-radius:11px;cursor:pointer;line-height:1.4}
label:hover,label:has(:checked){border-color:var(--brass)}
label:has(:checked){box-shadow:inset 0 0 0 1px var(--brass)}
label small{display:block;color:var(--soft);font-size:.875rem}
h2{font-size:1.05rem;margin:0}
.pause{margin:1.75rem 0 0;padding:1.5rem 0 0;border-top:1px solid var(--line)}
.pause p{margin:.4rem 0 1rem;color:var(--soft)}
.field{display:grid;gap:.4rem;margin:.9rem 0;padding:0;border:0;box-shadow:none!important;cursor:default}
select{width:100%;min-height:3rem;padding:.6rem .75rem;font:inherit;color:var(--ink);background:var(--paper);border:1px solid var(--line);border-radius:11px}
.stack{display:grid;gap:.7rem;margin:0 0 .7rem}
input{flex:none;width:1.2rem;height:1.2rem;margin:0;accent-color:var(--brass)}
main>p:last-child{margin-bottom:0}
@media (prefers-color-scheme:dark){body{background:var(--paper)}main{background:var(--panel)}}
`

/** The style of a project's pages: its color instead of ours, in light and dark mode. */
const styleOf = ({ color }: Branding, more = ''): string =>
  color
    ? `${STYLE}${more}main{--brass:${color}}main button:not(.quiet),.sender b{color:${textColorOn(color)}}\n`
    : STYLE + more

/**
 * Only the page's own style sheet, with `more` of it, and the project's logo. The page's form may redirect to
 * `redirectUrl`.
 */
export function preferencePolicy(branding: Branding, redirectUrl?: string | null, more = ''): string {
  const own = policyFor(styleOf(branding, more), "'self'")
  const policy = redirectUrl
    ? own.replace("form-action 'self'", () => `form-action 'self' ${new URL(redirectUrl).origin}`)
    : own
  if (!branding.logoUrl) return policy
  const { origin } = new URL(branding.logoUrl)
  return policy.replace('img-src data:', () => `img-src data: ${origin}`)
}

export const CHECK = trusted(
  '<svg class="sign" viewBox="0 0 40 40" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="20" cy="20" r="18"/><path d="m12 20.5 5.500 5.500L28 15"/></svg>',
)

/** `saved`: the recipient has just made this choice. */
export function preferencePage(which: PreferencePage, reader: Reader, token: string, saved = false): string {
  const language = languageOf(reader.locale, reader.projectLanguage)
  const texts = textsIn(language)
  if (which === 'manage') return framed(language, reader, texts.manage.title, manageBody(language, reader, saved))
  const decided = which === 'unsubscribe' ? 'unsubscribed' : 'subscribed'
  const { topic } = reader
  const topicTexts = topic && reader.state !== 'unsubscribed' ? texts.topic : undefined
  // A suppression is no decision of the person, so it doesn't keep them from unsubscribing.
  const isInTopic = which === 'subscribe' ? topic?.subscribed && !reader.suppressed : topic?.chosen
  const done = topicTexts
    ? (reader.state === 'subscribed' && isInTopic === true) === (which === 'subscribe')
    : reader.state === decided && !(which === 'subscribe' && reader.suppressed)
  const { title, text } = (topicTexts ?? texts)[done ? decided : which]
  const manageUrl = `../manage/${reader.ownToken}`
  return framed(
    language,
    reader,
    plain(title, reader),
    html`${done && CHECK}
<h1>${filled(title, reader)}</h1>
<p>${filled(text, reader)}</p>
${!done && html`<form method="post"><button>${texts[which].button}</button></form>`}
${
  done &&
  which === 'unsubscribe' &&
  topicTexts &&
  html`<div class="stack">${undoForm(topicTexts.everything, `../unsubscribe/${reader.ownToken}`, '')}</div>`
}
${done && which === 'unsubscribe' && undoForm(texts.unsubscribed.back, `../subscribe/${token}`, 'quiet')}
<div class="more"><a href="${manageUrl}">${texts.manage.title}</a>${
      done && which === 'subscribe' && undoForm(texts.unsubscribe.button, `../unsubscribe/${token}`, 'quiet small')
    }</div>`,
  )
}

const undoForm = (label: string, action: string, look: string): Html =>
  html`<form method="post" action="${action}"><button class="${look}">${label}</button></form>`

function manageBody(language: Language, reader: Reader, saved: boolean): Html {
  const texts = textsIn(language)
  const more = texts.topic
  const { title, question, never, save, saved: savedText } = texts.manage
  const receives = reader.state === 'subscribed' && !reader.suppressed
  const declined = reader.state === 'unsubscribed' || (reader.state === 'subscribed' && reader.suppressed)
  const state = receives ? texts.subscribed.title : declined ? texts.unsubscribed.title : never
  return html`<h1>${title}</h1>
<p class="state${receives && ' on'}">${state}</p>
${receives && reader.pausedUntil !== null && html`<p class="state">${pausedText(language, reader.pausedUntil)}</p>`}
${saved && html`<p class="saved" role="status">${savedText}</p>`}
<form method="post"><fieldset>
<legend>${filled(question, reader)}</legend>
${choice(texts.all, 'true', receives)}
${choice(texts.necessary, 'false', declined)}
</fieldset>
${
  reader.topics.length > 0 &&
  html`<fieldset>
<legend>${more.topics}</legend>
${reader.topics.map(topicChoice)}
</fieldset>`
}
<button>${save}</button></form>
${receives && pauseForm(language, reader)}
${settingsForm(language, reader)}
${reader.offers.dataDownload && downloadForm(language, reader)}`
}

/** Without a check mark, only the hidden field is sent. */
const topicChoice = ({ key, name, description, subscribed }: ReaderTopic): Html =>
  html`<label><input type="hidden" name="topics.${key}" value="false"><input type="checkbox" name="topics.${key}" value="true"${subscribed && html` checked`}>
<span>${name}${description ? html`<small>${description}</small>` : ''}</span></label>`

function pauseForm(language: Language, { pausedUntil }: Reader): Html {
  const { pause } = textsIn(language).topic
  const button = (days: number, label: string) =>
    html`<button class="quiet" name="pause" value="${String(days)}">${label}</button>`
  return html`<section class="pause"><form method="post"><h2>${pause.title}</h2>
<p>${pausedUntil ? pausedText(language, pausedUntil) : pause.text}</p>
<div class="stack">${
    pausedUntil
      ? button(0, pause.resume)
      : PAUSE_DAYS.map((days) => button(days, pause.button.replace('{days}', String(days))))
  }</div></form></section>`
}

/** A language is written in its own words. */
const nativeName = (code: Language): string => {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}

const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

const option = (value: string, name: string, chosen: boolean): Html =>
  html`<option value="${value}"${chosen && html` selected`}>${name}</option>`

/** What the project lets contacts choose about themselves. */
function settingsForm(language: Language, { offers, timezone }: Reader): Html | false {
  if (!offers.language && !offers.timezone) return false
  const texts = textsIn(language).settings
  return html`<section class="pause"><form method="post"><h2>${texts.title}</h2>
${
  offers.language &&
  html`<label class="field">${texts.language}<select name="language">${LANGUAGES.map((code) =>
    option(code, nativeName(code), code === language),
  )}</select></label>`
}
${
  offers.timezone &&
  html`<label class="field">${texts.timezone}<select name="timezone">${option('', texts.unset, typeof timezone !== 'string')}${TIME_ZONES.map(
    (zone) => option(zone, zone.replaceAll('_', ' '), zone === timezone),
  )}</select></label>`
}
<button class="quiet">${textsIn(language).manage.save}</button></form></section>`
}

/** With a button, because programs that follow links must not load the data. */
function downloadForm(language: Language, reader: Reader): Html {
  const { title, text, button } = textsIn(language).settings.download
  return html`<section class="pause"><form method="post" action="../my-data/${reader.ownToken}"><h2>${title}</h2>
<p>${filled(text, reader)}</p><button class="quiet">${button}</button></form></section>`
}

const pausedText = (language: Language, until: Date): string => {
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(until)
  return textsIn(language).topic.pause.paused.replace('{date}', () => date)
}

const choice = ({ name, description }: PageTexts['all'], value: string, chosen: boolean): Html =>
  html`<label><input type="radio" name="subscribed" value="${value}" required${chosen && html` checked`}>
<span>${name}<small>${description}</small></span></label>`

/** For a link without a contact or an email. `sender` is the project of the link, if it is known. */
export function messagePage(
  about: 'gone' | 'unknown' | 'emailGone' | 'emailErased',
  language: Language,
  sender?: Sender,
): string {
  const { title, text } = textsIn(language)[about]
  return framed(language, sender, title, html`<h1>${title}</h1><p>${text}</p>`)
}

export function framed(language: Language, sender: Sender | undefined, title: string, body: Html, more = ''): string {
  const address = sender?.branding.postalAddress
  const foot = address && html`<p class="address">${address}</p>`
  const name = sender ? `${title} · ${sender.projectName}` : title
  return page(name, html`<main>${sender ? brandOf(sender) : MARK}${body}${foot}</main>`, {
    lang: language,
    style: styleOf(sender?.branding ?? {}, more),
    hidden: true,
  })
}

const brandOf = ({ projectName, branding: { logoUrl } }: Sender): Html =>
  html`<p class="sender">${logoUrl ? html`<img src="${logoUrl}" alt="">` : html`<b aria-hidden="true">${initial(projectName)}</b>`}${projectName}</p>`

/** The heading of pages that belong to no project. */
const MARK = html`<p class="mark">${horn}Posthorn</p>`

const initial = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? ''

type Named = Pick<Reader, 'email' | 'projectName'> & Partial<Pick<Reader, 'topic'>>

const wordFor = (placeholder: string, { email, topic, projectName }: Named): string =>
  placeholder === '{email}' ? email : placeholder === '{topic}' ? (topic?.name ?? '') : projectName

const plain = (text: string, reader: Named): string => text.replace(/\{\w+\}/g, (name) => wordFor(name, reader))

export const filled = (text: string, reader: Named): Html[] =>
  text
    .split(/(\{\w+\})/)
    .map((piece) => (piece.startsWith('{') ? html`<strong>${wordFor(piece, reader)}</strong>` : html`${piece}`))
