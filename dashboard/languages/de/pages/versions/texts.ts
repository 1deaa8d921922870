/** German texts of the version history of templates and campaigns. */

import { formatCount } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/versions/texts.ts'
import type { Translation } from '../../../translation.ts'

export const versions: Translation<typeof english.texts> = {
  title: 'Versionen',
  lead: 'Jede Änderung an Betreff, Preheader, Text oder Inhalt wird gespeichert. Wählen Sie eine Version, um sie mit der aktuellen zu vergleichen.',
  leadFirst:
    'Jede Änderung an Betreff, Preheader oder Inhalt wird als Version gespeichert. Sobald es zwei gibt, können Sie sie hier vergleichen und wiederherstellen.',
  list: 'Versionen, neueste zuerst',
  version: (number) => `Version ${number}`,
  saved: '<version/>, gespeichert am <at/>',
  savedByApi: '<version/>, gespeichert am <at/> über die API',
  savedBy: '<version/>, gespeichert am <at/> von <who/>',
  current: 'Aktuell',
  key: 'Über die API',
  system: 'Gespeichert, bevor Versionen erfasst wurden',
  formerMember: 'Ehemaliges Mitglied',
  compare: 'Vergleich mit der aktuellen Version',
  from: (number, current) => `Von Version ${number} zu Version ${current} (aktuell)`,
  text: 'Text',
  html: 'HTML',
  preview: (number) => `Vorschau von Version ${number}`,
  subject: 'Betreff',
  preheader: 'Preheader',
  plainText: 'Nur-Text',
  unchanged: 'Keine Unterschiede.',
  added: 'Nur in der aktuellen Version:',
  removed: 'Nur in dieser Version:',
  more: (count) => `${formatCount(count, { one: 'unveränderte Zeile', other: 'unveränderte Zeilen' })} anzeigen`,
  name: 'Name der Version (optional)',
  namePlaceholder: 'Von der Rechtsabteilung freigegeben',
  saveName: 'Namen speichern',
  nameSaved: 'Name gespeichert.',
  restore: (number) => `Version ${number} wiederherstellen`,
  restored: (number) => `Version ${number} wiederhergestellt.`,
  restoreTitle: (number) => `Version ${number} wiederherstellen?`,
  restoreEffect:
    'Betreff, Preheader und Inhalt werden durch die dieser Version ersetzt. Der aktuelle Stand bleibt als Version erhalten.',
  unsavedLost: 'Ihre nicht gespeicherten Änderungen gehen verloren.',
}
