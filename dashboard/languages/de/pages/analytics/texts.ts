/** German texts of the analytics page. */

import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/analytics/texts.ts'
import type { Translation } from '../../../translation.ts'

export const analytics: Translation<typeof english.texts> = {
  title: 'Auswertungen',
  lead: 'Sehen Sie, wie erfolgreich Ihre E-Mails im Zeitverlauf sind.',
  period: 'Zeitraum',
  periods: { 7: 'Letzte 7 Tage', 30: 'Letzte 30 Tage', 90: 'Letzte 90 Tage', 365: 'Letzte 365 Tage' },
  exportCsv: 'CSV exportieren',
  emails: (count) => formatCount(count, { one: 'E-Mail', other: 'E-Mails' }),
  sent: 'Gesendet',
  delivered: 'Zugestellt',
  opened: 'Geöffnet',
  clicked: 'Geklickt',
  bounced: 'Bounces',
  complained: 'Spam-Beschwerden',
  chart: {
    title: 'E-Mails pro Tag',
    titleRates: 'Raten pro Tag',
    problems: 'Bounces und Spam-Beschwerden',
    emptyTitle: 'Keine E-Mails in diesem Zeitraum',
    empty: 'Sobald Sie E-Mails senden, sehen Sie hier Zustellungen, Öffnungen, Klicks und Bounces pro Tag.',
    toCampaigns: 'Zu den Kampagnen',
    lead: 'Versand, Zustellungen, Öffnungen, Klicks und Bounces zählen an dem Tag, an dem sie stattfinden (UTC).',
    leadRates:
      'Die Raten jedes Tages (UTC), ohne heute. Öffnungen, Klicks und Bounces zählen an dem Tag, an dem sie stattfinden.',
    show: 'Anzeigen',
    shows: { counts: 'Anzahl', rates: 'Raten' },
    compareSent: 'Versand mit vorherigem Zeitraum vergleichen',
    compareOpened: 'Öffnungsrate mit vorherigem Zeitraum vergleichen',
    sentBefore: 'Gesendet, vorheriger Zeitraum',
    openedBefore: 'Geöffnet, vorheriger Zeitraum',
    showTable: 'Als Tabelle anzeigen',
    table: 'Tabelle der E-Mails pro Tag',
    day: 'Tag',
    file: (days) => `e-mails-${days[0]?.date}-bis-${days.at(-1)?.date}.csv`,
  },
  breakdown: {
    title: 'Aufschlüsselung',
    by: { campaign: 'Kampagnen', template: 'Vorlagen', workflow: 'Workflows', domain: 'Empfängerdomains' },
    domainOnPhone: 'Domains',
    name: { campaign: 'Kampagne', template: 'Vorlage', workflow: 'Workflow', domain: 'Domain' },
    empty: 'In diesem Zeitraum gibt es keine E-Mails zum Aufschlüsseln.',
    rates: (delivered, clicked, bounced) => `${delivered} zugestellt · ${clicked} geklickt · ${bounced} Bounces`,
    deleted: 'Gelöscht',
    lead: 'E-Mails, die in diesem Zeitraum angenommen wurden, mit ihren späteren Öffnungen und Klicks.',
    first: (count) => `Die ersten ${formatNumber(count)} nach Anzahl der E-Mails in diesem Zeitraum.`,
    file: (by, { from, to }) => `e-mails-nach-${by}-${from}-bis-${to}.csv`,
  },
  topEvents: {
    title: 'Häufigste Ereignisse',
    empty: 'In diesem Zeitraum wurden keine Ereignisse erfasst.',
  },
}
