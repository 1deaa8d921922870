/** German texts of the activity page. */

import { formatCount } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/activity/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

export const activity: Translation<typeof english.texts> = {
  title: 'Aktivitäten',
  lead: 'Alles, was in diesem Projekt geschieht, in Echtzeit.',
  type: 'Typ',
  allTypes: 'Alle Aktivitäten',
  categories: {
    emails: 'Alle E-Mails',
    contacts: 'Alle Änderungen an Kontakten',
    campaigns: 'Alle Kampagnen',
    workflows: 'Alle Workflows',
    tracked: 'Alle erfassten Ereignisse',
  },
  period: 'Zeitraum',
  periods: { '': 'Gesamter Zeitraum', 1: 'Heute', 7: 'Letzte 7 Tage', 30: 'Letzte 30 Tage' },
  clearFilters: 'Filter zurücksetzen',
  onlyContact: (email) => `Nur Aktivitäten von ${email} anzeigen`,
  group: (times, contacts) =>
    contacts === times
      ? shared.contacts(contacts)
      : [formatCount(times, { one: 'Mal', other: 'Mal' }), ...(contacts > 0 ? [shared.contacts(contacts)] : [])].join(
          ' · ',
        ),
  older: 'Ältere Aktivitäten anzeigen',
  noMatchTitle: 'Keine passenden Aktivitäten',
  noMatch: 'Versuchen Sie einen anderen Typ oder Zeitraum.',
  live: 'Live',
  paused: 'Pausiert',
  connecting: 'Verbinden …',
  pause: 'Aktualisierung pausieren',
  resume: 'Aktualisierung fortsetzen',
  emptyTitle: 'Noch keine Aktivitäten',
  empty:
    'Hier erscheinen E-Mails, Ereignisse, Kampagnen und Workflows, sobald etwas geschieht. Senden Sie eine E-Mail oder erfassen Sie ein Ereignis, um den ersten Eintrag zu sehen.',
  latest: 'Neueste Aktivitäten',
  sendFirst: 'Erste E-Mail senden',
  upcoming: {
    title: 'Demnächst',
    empty:
      'Nichts ist geplant. Hier erscheinen geplante Kampagnen und E-Mails sowie Kontakte, die in Workflows warten.',
    unnamed: 'Ohne Namen',
    campaignStarts: 'Geplante Kampagne',
    emailSent: (email) => `Geplante E-Mail an ${email ?? 'einen Kontakt'}`,
    waits: (email, event) => `Workflow: ${email ?? 'Ein Kontakt'} wartet auf „${event}“`,
    continues: (email) => `Workflow: nächster Schritt für ${email ?? 'einen Kontakt'}`,
  },
}
