/** German texts of the checks of an email, of the postal address and of the image library. */

import { formatCount, formatNumber } from '../../../figures/format.ts'
import type * as english from '../../../mail/texts.ts'
import type { Translation } from '../../translation.ts'

export const check: Translation<typeof english.checkTexts> = {
  title: 'Prüfungen',
  running: 'Wird geprüft …',
  notWritten: 'Geben Sie einen Betreff ein, um Links, Bilder, Text und HTML dieser E-Mail zu prüfen.',
  failed: 'Prüfung fehlgeschlagen',
  none: 'Keine Probleme gefunden',
  passed: 'Bestandene Prüfungen',
  allPassed: 'Alle Prüfungen bestanden.',
  areas: {
    subject: 'Betreff',
    preheader: 'Preheader',
    links: 'Links',
    images: 'Bilder und Alternativtexte',
    wording: 'Text und Wortwahl',
    variables: 'Variablen',
    unsubscribe: 'Abmeldelink',
    address: 'Postanschrift',
    contrast: 'Textkontrast',
    clients: 'E-Mail-Programme',
    size: 'Größe der E-Mail',
  },
  counts: {
    error: (count) => formatCount(count, { one: 'Fehler', other: 'Fehler' }),
    warning: (count) => formatCount(count, { one: 'Warnung', other: 'Warnungen' }),
    info: (count) => formatCount(count, { one: 'Hinweis', other: 'Hinweise' }),
  },
  severities: { error: 'Fehler', warning: 'Warnung', info: 'Hinweis' },
  sample: (contacts) => `Auf Grundlage einer Stichprobe von ${formatNumber(contacts)} Empfängern.`,
  variant: (name) => `Variante ${name}: `,
  showBlock: 'Block anzeigen',
  where: (field, line) => {
    if (line !== undefined) return `Zeile ${formatNumber(line)}.`
    return { subject: 'Gefunden im Betreff.', preheader: 'Gefunden im Preheader.' }[field ?? ''] ?? ''
  },
}

export const address: Translation<typeof english.addressTexts> = {
  title: 'Wo steht Ihre Postanschrift?',
  lead: 'Viele Länder schreiben sie in Marketing-E-Mails vor. Geben Sie sie einmal für alle E-Mails des Projekts ein oder bestätigen Sie, dass Ihre E-Mails sie enthalten.',
  askAdmin:
    'Viele Länder schreiben sie in Marketing-E-Mails vor. Bitten Sie einen Admin des Projekts, sie unter „Einstellungen“, „Branding“ einzugeben.',
  address: 'Postanschrift',
  placeholder: 'Firma, Straße, Ort, Land',
  save: 'In der Fußzeile anzeigen',
  inContent: 'Meine E-Mails enthalten sie',
}

export const library: Translation<typeof english.imageLibraryTexts> = {
  open: 'Aus Bibliothek wählen',
  title: 'Bildbibliothek',
  noMatch: 'Kein Bild gefunden.',
  size: (width, height) => `${formatNumber(width)} × ${formatNumber(height)}`,
  more: (shown) => `Angezeigt werden die neuesten ${formatNumber(shown)}. Andere finden Sie über die Suche.`,
}
