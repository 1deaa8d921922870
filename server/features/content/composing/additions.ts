/**
 * Additions to the body and headers of email: the preheader, a footer with an unsubscribe link, and one-click
 * unsubscription.
 */
import type { Branding } from '../../../kernel/content/branding.ts'
import { encodeEntitiesInLiquid, mapOutsideLiquid } from '../../../kernel/content/liquid-parts.ts'
import type { ContentType } from '../../../kernel/content/mail-content.ts'
import { insertAtStart, insertBeforeEnd } from '../../../platform/html/html-reader.ts'
import { escapeHtml } from '../../../platform/rendering/parser.ts'
import type { Language } from '../../audience/preferences/actions.ts'

/** Clients fill the rest of their preview with the text that follows, unless invisible characters come first. */
const FILLER = '&#847;&zwnj;&nbsp;'.repeat(60)
const HIDDEN =
  'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all'

/**
 * The body with its preheader as a hidden element at the start. This is done when content is frozen, so that composing
 * needs to handle nothing but a body.
 */
export function withPreheader(body: string, preheader: string | null): string {
  if (!preheader) return body
  const text = encodeEntitiesInLiquid(mapOutsideLiquid(preheader, escapeHtml))
  return insertAtStart(body, `<div style="${HIDDEN}">${text}${FILLER}</div>`)
}

// Additions to email that isn't transactional: a footer with an unsubscribe link, and the headers for one-click unsubscription.

interface FooterTexts {
  /** `{project}` is the name of the project. */
  reason: string
  unsubscribe: string
}

/** English is ASCII only: a single other character makes composing a long ASCII email a fifth slower. */
const TEXTS: Record<Language, FooterTexts> = {
  en: {
    reason: 'You are receiving this email because you subscribed to updates from {project}.',
    unsubscribe: 'Unsubscribe',
  },
  de: {
    reason: 'Sie erhalten diese E-Mail, weil Sie Neuigkeiten von {project} abonniert haben.',
    unsubscribe: 'Abbestellen',
  },
  fr: {
    reason: 'Vous recevez cet e-mail suite à votre inscription aux actualités de {project}.',
    unsubscribe: 'Se désabonner',
  },
  es: {
    reason: 'Ha recibido este correo porque se suscribió a las novedades de {project}.',
    unsubscribe: 'Cancelar la suscripción',
  },
  it: {
    reason: 'Ricevi questa e-mail perché hai effettuato l’iscrizione agli aggiornamenti di {project}.',
    unsubscribe: 'Annulla l’iscrizione',
  },
  nl: {
    reason: 'U ontvangt deze e-mail omdat u zich hebt aangemeld voor updates van {project}.',
    unsubscribe: 'Afmelden',
  },
  pt: {
    reason: 'Este e-mail é enviado a quem optou por receber novidades de {project}.',
    unsubscribe: 'Deixar de receber estes e-mails',
  },
  pl: {
    reason: 'Otrzymujesz tę wiadomość, ponieważ subskrybujesz aktualności od {project}.',
    unsubscribe: 'Zrezygnuj z subskrypcji',
  },
  sv: {
    reason: 'Du får det här mejlet eftersom du prenumererar på nyheter från {project}.',
    unsubscribe: 'Avsluta prenumerationen',
  },
  da: { reason: 'Du modtager denne e-mail, fordi du har tilmeldt dig nyheder fra {project}.', unsubscribe: 'Afmeld' },
  ja: {
    reason: 'このメールは、{project} の最新情報の配信にご登録いただいた方にお送りしています。',
    unsubscribe: '配信を停止する',
  },
  zh: { reason: '您收到此邮件是因为您订阅了 {project} 的最新资讯。', unsubscribe: '退订' },
}

/** The text of an unsubscribe link. */
export const unsubscribeText = (language: Language): string => TEXTS[language].unsubscribe

/** The class of an unsubscribe link in the body. An email that contains one gets no other footer. */
export const UNSUBSCRIBE_CLASS = 'posthorn-unsubscribe'

/** Another class can follow, such as that of the dark colors. */
const OWN_FOOTER = new RegExp(`class="${UNSUBSCRIBE_CLASS}[ "]`)

export const hasOwnFooter = (html: string, unsubscribeUrl: string): boolean =>
  html.includes(UNSUBSCRIBE_CLASS) && OWN_FOOTER.test(html) && html.includes(`href="${unsubscribeUrl}"`)

export interface Footer {
  /** The current name of the project: after a rename, earlier emails show the new name. */
  projectName: string
  language: Language
  /** Empty for an email without a contact, which gets no footer. */
  unsubscribeUrl: string
  /** The current branding, like the name. */
  branding?: Branding
}

/** Appends the reason and an unsubscribe link to marketing email, in the recipient's language. */
export function withFooter(
  html: string,
  type: ContentType,
  { projectName, language, unsubscribeUrl, branding = {} }: Footer,
  isIncluded = hasOwnFooter(html, unsubscribeUrl),
): string {
  if (type !== 'MARKETING' || unsubscribeUrl === '' || isIncluded) return html
  const { reason, unsubscribe } = TEXTS[language]
  const text = reason.replace('{project}', () => escapeHtml(projectName))
  const color = branding.color ?? '#777'
  const logo = branding.logoUrl
    ? `<img src="${escapeHtml(branding.logoUrl)}" alt="${escapeHtml(projectName)}" height="24" style="display:block;margin:0 auto 12px;height:24px;border:0">`
    : ''
  const address = branding.postalAddress ? `<br>${escapeHtml(branding.postalAddress).replaceAll(/\r?\n/g, '<br>')}` : ''
  const footer = `<p lang="${language}" style="margin:32px 0 0;font:12px/1.5 sans-serif;color:#777;text-align:center">${logo}${text} <a href="${unsubscribeUrl}" style="color:${color}">${unsubscribe}</a>${address}</p>`
  return insertBeforeEnd(html, footer)
}

/** The same for a text part that the author wrote, unless it contains the link already. */
export function withTextFooter(
  text: string,
  type: ContentType,
  { projectName, language, unsubscribeUrl, branding = {} }: Footer,
): string {
  if (type !== 'MARKETING' || unsubscribeUrl === '' || text.includes(unsubscribeUrl)) return text
  const { reason, unsubscribe } = TEXTS[language]
  const address = branding.postalAddress ? `\n${branding.postalAddress}` : ''
  const lines = `${reason.replace('{project}', () => projectName)}\n${unsubscribe}: ${unsubscribeUrl}${address}`
  return `${text.trimEnd()}\n\n-- \n${lines}\n`
}

/**
 * RFC 8058 one-click unsubscription on email that isn't transactional. A header of the same name that the caller set
 * takes precedence.
 */
export function withUnsubscribeHeaders(
  headers: Record<string, string>,
  type: ContentType,
  unsubscribeUrl: string,
): Record<string, string> {
  if (type === 'TRANSACTIONAL' || unsubscribeUrl === '') return headers
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'list-unsubscribe')) return headers
  return {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    ...headers,
  }
}
