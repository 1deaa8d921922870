/** French texts of the page that creates a project. */

import type * as english from '../../../../pages/projects/texts.ts'
import type { Translation } from '../../../translation.ts'

export const projects: Translation<typeof english.texts> = {
  title: 'Créer un projet',
  lead: 'Chaque projet a ses propres contacts, modèles, domaines et clés API. La plupart des équipes en créent un par produit.',
  back: 'Retour',
  name: 'Nom',
  namePlaceholder: 'Mon produit',
  submit: 'Créer le projet',
  readyTitle: (name) => `${name} est prêt`,
  readyLead: 'Enregistrez la clé secrète maintenant. Vous ne pourrez plus la revoir.',
  secretKey: 'Clé secrète (pour vos serveurs)',
  copySecretKey: 'Copier la clé secrète',
  publicKey: 'Clé publique (pour suivre des événements dans les navigateurs et applications)',
  copyPublicKey: 'Copier la clé publique',
  open: 'Ouvrir le projet',
}
