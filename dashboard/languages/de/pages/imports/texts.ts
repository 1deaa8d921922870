/** German texts of the page that imports contacts. */

import { formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/imports/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

export const imports: Translation<typeof english.texts> = {
  contacts: 'Kontakte',
  title: 'Kontakte importieren',
  lead: 'Die Datei braucht eine Spalte mit E-Mail-Adressen. Jede andere Spalte kann ein Feld werden. Vorhandene Kontakte werden aktualisiert.',
  choose: 'CSV-Datei wählen',
  dropHint: 'Oder legen Sie sie hier ab.',
  chooseHint: 'Spaltennamen in der ersten Zeile, getrennt durch Kommas, Semikolons oder Tabulatoren. Bis zu 5 MB.',
  example: 'Beispiel',
  exampleLead: 'Die Spalte „subscribed“ ist optional. Neue Kontakte ohne sie werden angemeldet.',
  chooseOther: 'Andere Datei wählen',
  sample: 'Beispieldatei herunterladen',
  tooLarge: 'Die Datei ist größer als 5 MB. Teilen Sie sie in kleinere Dateien auf.',
  notText: 'Das ist keine Textdatei. Exportieren Sie die Liste als CSV und wählen Sie die exportierte Datei.',
  hasHeader: 'Die erste Zeile enthält die Namen der Spalten',
  newContacts: {
    label: 'Neue Kontakte',
    choices: {
      subscribed: 'Werden angemeldet',
      unsubscribed: 'Werden nicht angemeldet',
      confirm: 'Erhalten zuerst eine Bestätigungs-E-Mail',
    },
  },
  status: {
    title: (column) => `Gibt „${column}“ an, wer abonniert hat?`,
    lead: 'Wenn ja und die Spalte nicht als Abonnement importiert wird, erhalten Personen, die sich anderswo abgemeldet haben, wieder Ihre E-Mails.',
    yes: 'Ja, als Abonnement importieren',
    no: 'Nein, das ist etwas anderes',
  },
  emptyFile: 'Die Datei ist leer. Wählen Sie eine Datei mit einer Kopfzeile und mindestens einem Kontakt.',
  start: 'Kontakte importieren',
  converted: 'Diese Datei ist nicht in UTF-8 codiert. Sie wird vor dem Hochladen umgewandelt.',
  mapping: {
    title: 'Spalten',
    lead: 'Wählen Sie, wie jede Spalte importiert wird. Leere Zellen lassen vorhandene Werte unverändert.',
    label: 'Spalten der Datei',
    column: { name: 'Spalte', samples: 'Erste Werte', field: 'Importieren als' },
    fieldOf: (column) => `Feld für ${column}`,
    nameOf: (column) => `Feldname für ${column}`,
    typeOf: (column) => `Typ von ${column}`,
    choices: {
      '': 'Nicht importieren',
      email: 'E-Mail-Adresse',
      subscribed: 'Abonnement',
      data: 'Eigenes Feld',
    },
    place: (position) => `Spalte ${position}`,
    wordsOf: (column) => `Bedeutung der Werte von ${column}`,
    word: (word) => `„${word}“ bedeutet`,
    chooseMeaning: 'Wählen …',
    subscribed: 'Abonniert',
    unsubscribed: 'Nicht abonniert',
    unclear: 'Wählen Sie, was jeder Wert in der Spalte des Abonnements bedeutet.',
    namePlaceholder: 'Feldname',
    types: { string: 'Text', number: 'Zahl', boolean: 'Ja/Nein', date: 'Datum' },
    problems: {
      'no-email': 'Wählen Sie die Spalte mit den E-Mail-Adressen.',
      unnamed: (column) => `Geben Sie einen Feldnamen für die Spalte „${column}“ ein.`,
      twice: (column) =>
        `Die Spalte „${column}“ wird als dasselbe Feld importiert wie eine andere Spalte. Wählen Sie ein anderes Feld.`,
    },
  },
  effect: {
    title: 'Vorschau',
    label: 'Vorschau des Imports',
    lead: (rows) =>
      pickPlural(rows, {
        one: 'Was der Import mit der Zeile der Datei tun würde.',
        other: `Was der Import mit den ${formatNumber(rows)} Zeilen der Datei tun würde.`,
      }),
    created: (count) => `${shared.contacts(count)} ${pickPlural(count, { one: 'wird', other: 'werden' })} angelegt.`,
    updated: (count) =>
      pickPlural(count, {
        one: '1 Zeile aktualisiert einen vorhandenen Kontakt.',
        other: `${formatNumber(count)} Zeilen aktualisieren vorhandene Kontakte.`,
      }),
    unchanged: (count) =>
      pickPlural(count, {
        one: '1 Zeile ändert nichts.',
        other: `${formatNumber(count)} Zeilen ändern nichts.`,
      }),
    failed: (count) =>
      pickPlural(count, {
        one: '1 Zeile wird übersprungen.',
        other: `${formatNumber(count)} Zeilen werden übersprungen.`,
      }),
    leftOut: (count) =>
      pickPlural(count, {
        one: '1 Wert passt nicht zu seinem Typ und wird ausgelassen.',
        other: `${formatNumber(count)} Werte passen nicht zu ihren Typen und werden ausgelassen.`,
      }),
    problem: (row, problem) => `Zeile ${formatNumber(row)}: ${problem}`,
    dotted: (name) =>
      `„${name}“ wird als ein Name mit einem Punkt gespeichert. Verwenden Sie in Vorlagen {{ data["${name}"] }}, weil {{ ${name} }} ihn nicht findet.`,
    valueOf: (name, value) => `${name}: ${value}`,
    outcomes: { created: 'Neu', updated: 'Aktualisierung', unchanged: 'Unverändert', failed: 'Übersprungen' },
    result: 'Ergebnis',
  },
  confirmations: {
    title: 'Bestätigung',
    lead: 'Verwenden Sie dies, wenn Sie nicht nachweisen können, dass die Personen in der Datei in Ihre E-Mails eingewilligt haben.',
    perHour: 'E-Mails pro Stunde',
    rateProblem: (max) => `Geben Sie eine ganze Zahl von 1 bis ${formatNumber(max)} ein.`,
    note: 'Neue Kontakte und vorhandene ohne Abonnement erhalten keine Marketing-E-Mails, bis sie bestätigen. Kontakte, die sich abgemeldet haben oder deren Adresse gesperrt ist, werden nicht gefragt.',
    progress: 'Bestätigungs-E-Mails',
    rate: (perHour) =>
      `Jeder Kontakt erhält eine E-Mail mit einem Link, der das Abonnement bestätigt, ${formatNumber(perHour)} pro Stunde.`,
    nobody: 'Kein Kontakt der Datei muss gefragt werden.',
    running: 'Bestätigungs-E-Mails werden gesendet',
    completed: 'Alle Kontakte wurden gefragt',
    asked: 'Gefragt',
    waiting: 'Wartend',
    skipped: 'Nicht gefragt',
    leave: 'Sie können diese Seite verlassen: Die E-Mails werden im Hintergrund gesendet.',
  },
  running: 'Kontakte werden importiert',
  completed: 'Import abgeschlossen',
  failed: 'Der Import ist fehlgeschlagen.',
  viewContacts: 'Kontakte ansehen',
  another: 'Weitere Datei importieren',
  rows: 'Zeilen',
  created: 'Angelegt',
  updated: 'Aktualisiert',
  unchanged: 'Unverändert',
  failures: 'Übersprungen',
  skippedTitle: 'Übersprungene Zeilen',
  skippedLead: 'Diese Zeilen wurden übersprungen. Alle anderen wurden importiert.',
  skippedSome: (shown, total) =>
    `Angezeigt werden die ersten ${formatNumber(shown)} von ${formatNumber(total)} übersprungenen Zeilen.`,
  leftOutTitle: 'Ausgelassene Werte',
  leftOutLead: (count) =>
    pickPlural(count, {
      one: '1 Wert passt nicht zum Typ seiner Spalte. Der Rest seiner Zeile wurde importiert.',
      other: `${formatNumber(count)} Werte passen nicht zu den Typen ihrer Spalten. Der Rest ihrer Zeilen wurde importiert.`,
    }),
  column: { row: 'Zeile', email: 'E-Mail', reason: 'Grund' },
}
