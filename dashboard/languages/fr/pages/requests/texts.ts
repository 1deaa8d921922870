/** French texts of the pages about API requests. */

import { formatCount } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/requests/texts.ts'
import type { Translation } from '../../../translation.ts'

export const requests: Translation<typeof english.texts> = {
  title: 'Requêtes API',
  lead: 'Les requêtes faites avec vos clés API ces 7 derniers jours. Leur corps n’est pas conservé.',
  column: { request: 'Requête', status: 'Statut', key: 'Clé', duration: 'Durée', time: 'Heure' },
  search: 'Chemin, par exemple /v1/send',
  method: 'Méthode',
  anyMethod: 'Toutes les méthodes',
  status: 'Statut',
  anyStatus: 'Tous les statuts',
  statuses: { '2xx': 'Réussies (2xx)', '4xx': 'Refusées (4xx)', '5xx': 'En échec (5xx)' },
  key: 'Clé',
  anyKey: 'Toutes les clés',
  keys: { secret: 'Clé secrète', public: 'Clé publique' },
  ms: (ms) => `${ms} ms`,
  ignored: (count) => formatCount(count, { one: 'champ ignoré', other: 'champs ignorés' }),
  emptyTitle: 'Aucune requête API',
  empty:
    'Les requêtes faites avec vos clés API s’affichent ici pendant 7 jours, chacune avec son erreur. Vous voyez ainsi pourquoi une requête de votre application a été refusée. Créez une clé API et envoyez la première requête. Si aucune n’apparaît, REQUEST_LOG est peut-être désactivé sur cette installation.',
  createKey: 'Ouvrir les clés API',
  noMatchTitle: 'Aucune requête correspondante',
  noMatch: 'Essayez un autre filtre.',
  one: {
    title: 'Requête API',
    facts: 'Requête',
    id: 'ID de la requête',
    copyId: 'Copier l’ID de la requête',
    network: 'Réseau',
    unknown: 'Inconnu',
    error: 'Erreur',
    docs: 'Comment corriger cette erreur',
    field: 'Champ',
    problem: 'Problème',
    ignoredTitle: 'Champs ignorés',
    ignoredLead:
      'Cet endpoint ne connaît pas ces champs de la requête : ils n’ont donc eu aucun effet. Vérifiez leurs noms.',
  },
}
