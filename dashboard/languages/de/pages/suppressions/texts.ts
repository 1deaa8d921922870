/** German texts of the suppressions page. */

import { formatCount, formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/suppressions/texts.ts'
import type { Translation } from '../../../translation.ts'

export const suppressions: Translation<typeof english.texts> = {
  title: 'Sperrliste',
  lead: 'Diese Adressen erhalten nie Marketing-E-Mails oder keine zu einem Thema, auch wenn der Kontakt gelöscht und wieder importiert wird. Transaktions-E-Mails werden weiterhin gesendet.',
  add: 'Adresse sperren',
  column: { email: 'E-Mail', reason: 'Grund', topic: 'Thema', added: 'Hinzugefügt' },
  allTopics: 'Alle Marketing-E-Mails',
  reason: 'Grund',
  anyReason: 'Alle Gründe',
  export: 'Exportieren',
  import: 'Importieren',
  importDialog: {
    title: 'Sperrliste importieren',
    lead: 'Eine CSV-Datei mit einer Spalte „email“, bis zu 5 MB. Die Spalten „reason“, „topic“ und „createdAt“ sind optional. Kontakte bleiben unverändert.',
    file: 'CSV-Datei',
    submit: 'Sperrliste importieren',
    close: 'Schließen',
    done: (added, existing) => `${formatNumber(added)} hinzugefügt, ${formatNumber(existing)} bereits gesperrt.`,
    failed: (count) =>
      pickPlural(count, {
        one: '1 Zeile wurde übersprungen:',
        other: `${formatNumber(count)} Zeilen wurden übersprungen:`,
      }),
    row: (row, error) => `Zeile ${formatNumber(row)}: ${error}`,
  },
  reasons: { BOUNCE: 'Permanenter Bounce', COMPLAINT: 'Spam-Beschwerde', MANUAL: 'Manuell hinzugefügt' },
  search: 'Adressen durchsuchen',
  emptyTitle: 'Keine gesperrten Adressen',
  empty:
    'Adressen werden nach einem permanenten Bounce oder einer Spam-Beschwerde automatisch gesperrt. Das schützt Ihre Absenderreputation. Sie können Adressen auch manuell sperren.',
  noMatchTitle: 'Keine passenden Adressen',
  noMatch: 'Versuchen Sie eine andere Suche.',
  removeLabel: (email) => `Sperre von ${email} aufheben`,
  removeTopicEffect: (email, topic) =>
    `${email} kann wieder Marketing-E-Mails zum Thema „${topic}“ erhalten, wenn der Kontakt es abonniert hat.`,
  removeTitle: 'Diese Sperre aufheben?',
  removeAction: 'Sperre aufheben',
  removeEffect: (email) =>
    `${email} kann wieder Marketing-E-Mails erhalten, wenn der Kontakt abonniert hat. Der Versand an Adressen mit Bounce schadet Ihrer Absenderreputation.`,
  removed: 'Sperre aufgehoben.',
  bulk: {
    label: 'Ausgewählte Sperren',
    selectPage: 'Alle Sperren auf dieser Seite auswählen',
    select: (email) => `${email} auswählen`,
    selected: (count) => `${formatCount(count, { one: 'Sperre', other: 'Sperren' })} ausgewählt`,
    selectAll: (total) => `Alle ${formatNumber(total)} auswählen`,
    clear: 'Auswahl aufheben',
    remove: 'Aufheben',
    removeTitle: (count) => `${formatCount(count, { one: 'Sperre', other: 'Sperren' })} aufheben?`,
    removeAction: (count) => `${formatCount(count, { one: 'Sperre', other: 'Sperren' })} aufheben`,
    removeEffect:
      'Diese Adressen können wieder Marketing-E-Mails erhalten, wenn die Kontakte abonniert haben. Der Versand an Adressen mit Bounce oder Spam-Beschwerde schadet Ihrer Absenderreputation.',
    done: (count) => `${formatCount(count, { one: 'Sperre', other: 'Sperren' })} aufgehoben.`,
  },
  addDialog: {
    title: 'Adresse sperren',
    email: 'E-Mail',
    topic: 'Thema',
    submit: 'Adresse sperren',
    added: 'Adresse gesperrt.',
  },
}
