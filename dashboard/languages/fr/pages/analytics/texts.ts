/** French texts of the analytics page. */

import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/analytics/texts.ts'
import type { Translation } from '../../../translation.ts'

/** In names of files. */
const FILES: Record<string, string> = { campaign: 'campagne', template: 'modele', domain: 'domaine' }

export const analytics: Translation<typeof english.texts> = {
  title: 'Statistiques',
  lead: 'Suivez les performances de vos e-mails au fil du temps.',
  period: 'Période',
  periods: { 7: '7 derniers jours', 30: '30 derniers jours', 90: '90 derniers jours', 365: '365 derniers jours' },
  exportCsv: 'Exporter en CSV',
  emails: (count) => formatCount(count, { one: 'e-mail', other: 'e-mails' }),
  sent: 'Envoyés',
  delivered: 'Livrés',
  opened: 'Ouverts',
  clicked: 'Cliqués',
  bounced: 'Rebonds',
  complained: 'Plaintes pour spam',
  chart: {
    title: 'E-mails par jour',
    titleRates: 'Taux par jour',
    problems: 'Rebonds et plaintes pour spam',
    emptyTitle: 'Aucun e-mail sur cette période',
    empty:
      'Dès que vous envoyez des e-mails, ce graphique montre leurs livraisons, ouvertures, clics et rebonds par jour.',
    toCampaigns: 'Aller aux campagnes',
    lead: 'Les envois, livraisons, ouvertures, clics et rebonds sont comptés le jour où ils ont lieu (UTC).',
    leadRates:
      'Les taux de chaque jour (UTC), sans aujourd’hui. Les ouvertures, clics et rebonds sont comptés le jour où ils ont lieu.',
    show: 'Afficher',
    shows: { counts: 'Nombres', rates: 'Taux' },
    compareSent: 'Comparer les envois à la période précédente',
    compareOpened: 'Comparer le taux d’ouverture à la période précédente',
    sentBefore: 'Envoyés, période précédente',
    openedBefore: 'Ouverts, période précédente',
    showTable: 'Afficher sous forme de tableau',
    table: 'Tableau des e-mails par jour',
    day: 'Jour',
    file: (days) => `e-mails-${days[0]?.date}-au-${days.at(-1)?.date}.csv`,
  },
  breakdown: {
    title: 'Répartition',
    by: {
      campaign: 'Campagnes',
      template: 'Modèles',
      workflow: 'Workflows',
      domain: 'Domaines des destinataires',
    },
    domainOnPhone: 'Domaines',
    name: { campaign: 'Campagne', template: 'Modèle', workflow: 'Workflow', domain: 'Domaine' },
    empty: 'Aucun e-mail à répartir sur cette période.',
    /** The rates that have no column on a phone. */
    rates: (delivered, clicked, bounced) => `${delivered} livrés · ${clicked} cliqués · ${bounced} en rebond`,
    deleted: 'Élément supprimé',
    lead: 'E-mails acceptés sur cette période, avec leurs ouvertures et clics ultérieurs.',
    first: (count) => `Top ${formatNumber(count)} selon le nombre d’e-mails sur cette période.`,
    file: (by, { from, to }) => `e-mails-par-${FILES[by] ?? by}-${from}-au-${to}.csv`,
  },
  topEvents: {
    title: 'Principaux événements',
    empty: 'Aucun événement n’a été suivi sur cette période.',
  },
}
