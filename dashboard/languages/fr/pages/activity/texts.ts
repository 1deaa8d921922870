/** French texts of the activity page. */

import { formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/activity/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

export const activity: Translation<typeof english.texts> = {
  title: 'Activité',
  lead: 'Tout ce qui se passe dans ce projet, en temps réel.',
  type: 'Type',
  allTypes: 'Toute l’activité',
  categories: {
    emails: 'Tous les e-mails',
    contacts: 'Toutes les modifications de contacts',
    campaigns: 'Toutes les campagnes',
    workflows: 'Tous les workflows',
    tracked: 'Tous les événements suivis',
  },
  period: 'Période',
  periods: { '': 'Toute la période', 1: 'Aujourd’hui', 7: '7 derniers jours', 30: '30 derniers jours' },
  clearFilters: 'Effacer les filtres',
  onlyContact: (email) => `Afficher seulement l’activité de ${email}`,
  /** How many consecutive events there were, and for how many contacts. */
  group: (times, contacts) =>
    contacts === times
      ? shared.contacts(contacts)
      : [`${formatNumber(times)} fois`, ...(contacts > 0 ? [shared.contacts(contacts)] : [])].join(' · '),
  older: 'Afficher l’activité plus ancienne',
  noMatchTitle: 'Aucune activité correspondante',
  noMatch: 'Essayez un autre type ou une autre période.',
  live: 'En direct',
  paused: 'En pause',
  connecting: 'Connexion…',
  pause: 'Suspendre les mises à jour',
  resume: 'Reprendre les mises à jour',
  emptyTitle: 'Aucune activité',
  empty:
    'Les e-mails, événements, campagnes et workflows s’affichent ici au fur et à mesure. Envoyez un e-mail ou suivez un événement pour voir la première entrée.',
  latest: 'Dernière activité',
  sendFirst: 'Envoyer votre premier e-mail',
  upcoming: {
    title: 'À venir',
    empty:
      'Rien n’est programmé. Les campagnes et les e-mails programmés, ainsi que les contacts en attente dans des workflows, s’affichent ici.',
    unnamed: 'Sans nom',
    campaignStarts: 'Campagne programmée',
    emailSent: (email) => `E-mail programmé pour ${email ?? 'un contact'}`,
    waits: (email, event) => `Workflow : ${email ?? 'un contact'} attend « ${event} »`,
    continues: (email) => `Workflow : étape suivante pour ${email ?? 'un contact'}`,
  },
}
