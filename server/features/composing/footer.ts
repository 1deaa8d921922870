/** What bulk mail carries besides its content: a footer with an unsubscribe link, and the headers for one-click unsubscription. */

import type { ContentType } from '../../kernel/mail-content.ts'
import type { Language } from '../preferences/texts.ts'
import { insertBeforeEnd } from './html.ts'

interface FooterWords {
  why: string
  unsubscribe: string
}

const WORDS: Record<Language, FooterWords> = {
  en: { why: 'You get this email because you are a contact of the sender.', unsubscribe: 'Unsubscribe' },
  de: { why: 'Sie erhalten diese E-Mail als Kontakt des Absenders.', unsubscribe: 'Abmelden' },
  fr: { why: 'Vous recevez cet e-mail en tant que contact de l’expéditeur.', unsubscribe: 'Se désabonner' },
  es: { why: 'Recibe este correo porque es un contacto del remitente.', unsubscribe: 'Darse de baja' },
  it: { why: 'Ricevi questa e-mail perché sei un contatto del mittente.', unsubscribe: 'Annulla l’iscrizione' },
  nl: { why: 'Je ontvangt deze e-mail als contact van de afzender.', unsubscribe: 'Afmelden' },
  pt: { why: 'Recebe este e-mail por ser um contacto do remetente.', unsubscribe: 'Cancelar subscrição' },
  pl: { why: 'Otrzymujesz tę wiadomość jako kontakt nadawcy.', unsubscribe: 'Wypisz się' },
  sv: { why: 'Du får det här mejlet som kontakt till avsändaren.', unsubscribe: 'Avsluta prenumerationen' },
  da: { why: 'Du får denne e-mail som kontakt hos afsenderen.', unsubscribe: 'Afmeld' },
  ja: { why: 'このメールは、送信者の連絡先としてお送りしています。', unsubscribe: '配信停止' },
  zh: { why: '您收到此邮件是因为您是发件人的联系人。', unsubscribe: '退订' },
}

/** Marketing mail ends with an unsubscribe link, in the reader's language. */
export function withFooter(html: string, type: ContentType, language: Language, unsubscribeUrl: string): string {
  if (type !== 'MARKETING' || unsubscribeUrl === '') return html
  const { why, unsubscribe } = WORDS[language]
  const footer = `<p lang="${language}" style="margin:32px 0 0;font:12px/1.5 sans-serif;color:#777;text-align:center">${why} <a href="${unsubscribeUrl}" style="color:#777">${unsubscribe}</a></p>`
  return insertBeforeEnd(html, footer)
}

/** RFC 8058 one-click unsubscription on bulk mail. A header of the same name that the caller set wins. */
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
