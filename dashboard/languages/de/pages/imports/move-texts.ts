/** German texts of the page that moves contacts from another service. */

import { pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/imports/move-texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

export const move: Translation<typeof english.moveTexts> = {
  title: 'Von anderem Dienst umziehen',
  lead: 'Bringen Sie Kontakte mit ihren Daten, Abmeldungen, Themen und Vorlagen mit. Wer abgemeldet ist, bleibt abgemeldet.',
  back: 'Kontakte importieren',
  service: 'Dienst',
  files: 'Dateien des Exports',
  filesOf: (what) => `${what}. Die Dateien werden in Ihrem Browser gelesen und dürfen daher beliebig groß sein.`,
  choose: 'Dateien wählen',
  chosen: (names) => names.join(', '),
  none: 'Noch keine Dateien gewählt.',
  subscribe: 'Personen anmelden, zu deren Abonnement der Export nichts sagt',
  subscribeHint: 'Nur, wenn alle in Ihre E-Mails eingewilligt haben. Abgemeldete Personen werden nie angemeldet.',
  from: 'Absender der Vorlagen',
  fromHint: 'Für Vorlagen und Kampagnen, die keinen haben.',
  check: 'Vorschau der Änderungen',
  checking: (contacts) => `Der Export wird gelesen … Bisher ${shared.contacts(contacts)}.`,
  moving: (contacts) => `Umzug läuft … Bisher ${shared.contacts(contacts)}. Lassen Sie diese Seite geöffnet.`,
  preview: 'Vorschau',
  previewLead: 'Es wurde noch nichts geändert.',
  start: 'Kontakte umziehen',
  confirmTitle: (contacts) => `${shared.contacts(contacts)} umziehen?`,
  confirm:
    'Abmeldungen und Sperren werden zuerst übernommen. Vorhandene Kontakte behalten Werte, die der Export nicht hat.',
  completed: 'Umzug abgeschlossen',
  completedLead: 'Sie können ihn jederzeit wiederholen: Was schon hier ist, bleibt unverändert.',
  problems: (count) => pickPlural(count, { one: '1 Problem', other: `${count} Probleme` }),
  problemsLead: 'Diese Einträge wurden nicht übernommen, alle anderen schon.',
  problem: { place: 'Stelle', entry: 'Eintrag', reason: 'Grund' },
  placeOf: (file, line) => (line === undefined ? file : `${file}, Zeile ${line}`),
  link: 'Von anderem Dienst umziehen',
}
