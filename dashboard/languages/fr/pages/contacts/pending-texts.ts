/** French texts of the page of contacts who have not confirmed their subscription. */

import type * as english from '../../../../pages/contacts/pending-texts.ts'
import type { Translation } from '../../../translation.ts'

export const pending: Translation<typeof english.pendingTexts> = {
  title: 'Confirmations en attente',
  lead: 'Ces contacts ont été invités à confirmer leur abonnement et ne l’ont pas encore fait. D’ici là, ils ne reçoivent aucun e-mail marketing.',
  link: 'Confirmations en attente',
  pending: 'En attente',
  asked: 'Demandées',
  confirmed: 'Confirmées',
  rate: 'Taux de confirmation',
  days: '30 derniers jours',
  column: { email: 'E-mail', requested: 'Demande' },
  sendAgainTo: (email) => `Renvoyer à ${email}`,
  emptyTitle: 'Aucune confirmation en attente',
  empty:
    'Avec le double opt-in, les contacts attendent ici jusqu’à ce qu’ils confirment leur abonnement par e-mail, ce qui prouve leur accord. Activez-le dans Paramètres → Général.',
  noMatchTitle: 'Aucun contact correspondant',
  noMatch: 'Essayez une autre recherche.',
}
