/** German texts of the pages about API requests. */

import { formatCount } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/requests/texts.ts'
import type { Translation } from '../../../translation.ts'

export const requests: Translation<typeof english.texts> = {
  title: 'API-Anfragen',
  lead: 'Was Ihre API-Schlüssel in den letzten 7 Tagen angefragt haben. Inhalte werden nicht gespeichert.',
  column: { request: 'Anfrage', status: 'Status', key: 'Schlüssel', duration: 'Dauer', time: 'Zeit' },
  search: 'Pfad, zum Beispiel /v1/send',
  method: 'Methode',
  anyMethod: 'Alle Methoden',
  status: 'Status',
  anyStatus: 'Alle Status',
  statuses: { '2xx': 'Erfolgreich (2xx)', '4xx': 'Abgelehnt (4xx)', '5xx': 'Fehlgeschlagen (5xx)' },
  key: 'Schlüssel',
  anyKey: 'Alle Schlüssel',
  keys: { secret: 'Geheimer Schlüssel', public: 'Öffentlicher Schlüssel' },
  ms: (ms) => `${ms} ms`,
  ignored: (count) => formatCount(count, { one: 'ignoriertes Feld', other: 'ignorierte Felder' }),
  emptyTitle: 'Keine API-Anfragen',
  empty:
    'Anfragen mit Ihren API-Schlüsseln werden hier 7 Tage lang aufgelistet, jede mit ihrem Fehler. So sehen Sie, warum die Anfrage Ihrer App abgelehnt wurde. Erstellen Sie einen API-Schlüssel und senden Sie die erste Anfrage. Wenn keine erscheint, ist in dieser Installation vielleicht REQUEST_LOG ausgeschaltet.',
  createKey: 'API-Schlüssel öffnen',
  noMatchTitle: 'Keine passenden Anfragen',
  noMatch: 'Versuchen Sie einen anderen Filter.',
  one: {
    title: 'API-Anfrage',
    facts: 'Anfrage',
    id: 'Anfrage-ID',
    copyId: 'Anfrage-ID kopieren',
    network: 'Netzwerk',
    unknown: 'Unbekannt',
    error: 'Fehler',
    docs: 'So beheben Sie diesen Fehler',
    field: 'Feld',
    problem: 'Problem',
    ignoredTitle: 'Ignorierte Felder',
    ignoredLead:
      'Dieser Endpunkt kennt diese Felder der Anfrage nicht, daher hatten sie keine Wirkung. Prüfen Sie ihre Namen.',
  },
}
