/** German texts of the events page. */

import { formatCount, formatList, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/events/texts.ts'
import type { Translation } from '../../../translation.ts'

const eventCount = (count: number) => formatCount(count, { one: 'Ereignis', other: 'Ereignisse' })

/** After "von". */
const fromContacts = (count: number) => formatCount(count, { one: 'Kontakt', other: 'Kontakten' })

export const events: Translation<typeof english.texts> = {
  title: 'Ereignisse',
  lead: 'Erfassen Sie, was Ihre Nutzer tun. Ereignisse starten Workflows und lassen sich in Segmentbedingungen verwenden.',
  column: { event: 'Ereignis', contact: 'Kontakt', data: 'Daten', date: 'Datum' },
  name: 'Name des Ereignisses',
  allEvents: 'Alle Ereignisse',
  own: 'Ihre Ereignisse',
  system: 'E-Mail- und Segmentereignisse',
  emptyTitle: 'Noch keine Ereignisse',
  empty:
    'Senden Sie diese Anfrage, um das erste zu erfassen. Wenn die Adresse neu ist, wird dabei auch der Kontakt angelegt.',
  noMatchTitle: 'Keine passenden Ereignisse',
  example: 'curl-Beispiel zum Erfassen eines Ereignisses',
  track: {
    open: 'Ereignis erfassen',
    lead: 'Senden Sie diese Anfrage von Ihrer Website oder App. Wenn die Adresse neu ist, legt das Ereignis seinen Kontakt an.',
    save: 'Eigenschaften auch als Kontaktfelder speichern',
    notSaved: '„data“ enthält die Eigenschaften des Ereignisses. Mit „persistent“: false bleiben sie beim Ereignis.',
    saved: 'Jede Eigenschaft in „data“ wird zu einem Feld des Kontakts und ersetzt dessen Wert.',
    more: 'Alle Optionen finden Sie in der <docs>API-Referenz</docs>.',
  },
  chart: {
    title: (event) => `${event} pro Tag`,
    lead: (count) => `${eventCount(count)} in diesem Zeitraum, pro Tag (UTC).`,
    period: 'Zeitraum',
    periods: { 30: 'Letzte 30 Tage', 90: 'Letzte 90 Tage', 365: 'Letzte 365 Tage' },
    events: 'Ereignisse',
  },
  history: {
    open: 'Verlauf importieren',
    lead: 'Fügen Sie frühere Ereignisse hinzu, damit Diagramme und Segmente sie enthalten. Jede Zeile einer Datei beschreibt ein Ereignis.',
    example: 'Beispiel für eine Zeile',
    rules:
      'Auch eine CSV-Datei mit den Spalten email, event und timestamp ist möglich. Importierte Ereignisse starten keine Workflows und ändern keine Kontakte. Die Kontakte müssen vorhanden sein. Bis zu 5 MB pro Datei.',
    docs: 'Einzelheiten lesen',
    file: 'Datei mit Ereignissen',
    choose: 'Datei wählen',
    done: (imported, existing, skipped) =>
      [
        `${eventCount(imported)} importiert.`,
        ...(existing > 0 ? [`${eventCount(existing)} bereits früher importiert.`] : []),
        ...(skipped > 0 ? [`${formatCount(skipped, { one: 'Zeile', other: 'Zeilen' })} übersprungen.`] : []),
      ].join(' '),
    skipped: 'Übersprungene Zeilen',
    column: { row: 'Zeile', email: 'E-Mail', reason: 'Grund' },
  },
  counts: {
    title: 'Häufigste Ereignisse',
    lead: 'Gezählt über den gesamten Zeitraum. Wählen Sie ein Ereignis, um zu sehen, wann und für welche Kontakte es eingetreten ist.',
    contacts: (count, contacts) =>
      count === contacts
        ? pickPlural(contacts, { one: 'Kontakt', other: 'Kontakte' })
        : `von ${fromContacts(contacts)}`,
  },
  delete: {
    open: 'Ereignisse löschen',
    title: (name) => `Alle Ereignisse „${name}“ löschen?`,
    action: 'Ereignisse löschen',
    effect: (count, contacts) =>
      `${eventCount(count)} von ${fromContacts(contacts)} ${pickPlural(count, { one: 'wird', other: 'werden' })} endgültig gelöscht.`,
    usedBy: (names) =>
      `${formatList(names)} ${pickPlural(names.length, { one: 'berücksichtigt', other: 'berücksichtigen' })} diese Ereignisse dann nicht mehr.`,
    done: (count) => `${eventCount(count)} gelöscht.`,
  },
}
