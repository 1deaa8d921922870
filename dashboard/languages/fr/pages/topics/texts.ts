/** French texts of the topics page. */

import type * as english from '../../../../pages/topics/texts.ts'
import type { Translation } from '../../../translation.ts'

export const topics: Translation<typeof english.texts> = {
  title: 'Thématiques',
  lead: 'Ce que les contacts peuvent choisir de recevoir. Un modèle ou une campagne avec une thématique n’est envoyé qu’aux contacts qui y sont abonnés.',
  add: 'Créer une thématique',
  column: { name: 'Thématique', key: 'Clé', subscribers: 'Abonnés' },
  optIn: 'Opt-in',
  hidden: 'Absente de la page de préférences',
  moveUp: (name) => `Monter ${name}`,
  moveDown: (name) => `Descendre ${name}`,
  edit: (name) => `Modifier ${name}`,
  emptyTitle: 'Aucune thématique',
  empty:
    'Les thématiques sont les types d’e-mails que vous envoyez, comme « Nouveautés produit » ou « Offres ». Les contacts les choisissent sur leur page de préférences : ceux qui ne veulent pas de l’une restent abonnés aux autres.',
  noMatchTitle: 'Aucune thématique correspondante',
  noMatch: 'Essayez une autre recherche.',
  removeLabel: (name) => `Supprimer ${name}`,
  removeTitle: 'Supprimer cette thématique ?',
  removeAction: 'Supprimer la thématique',
  removeEffect: (name) =>
    `« ${name} » est supprimée, ainsi que les choix des contacts à son sujet. Cette action est irréversible.`,
  removed: 'Thématique supprimée.',
  editor: {
    createTitle: 'Créer une thématique',
    editTitle: 'Modifier la thématique',
    name: 'Nom',
    key: 'Clé',
    keyHint:
      'Identifie la thématique dans l’API. Minuscules, chiffres et traits d’union. Elle ne peut plus être modifiée ensuite.',
    description: 'Description',
    descriptionHint: 'Affichée sur la page de préférences.',
    defaultSubscribed: 'Les contacts abonnés la reçoivent tant qu’ils ne s’en désabonnent pas',
    defaultHint: 'Sinon, seuls les contacts qui s’y sont abonnés la reçoivent.',
    isPublic: 'L’afficher sur la page de préférences',
    create: 'Créer la thématique',
    save: 'Enregistrer',
    created: 'Thématique créée.',
    saved: 'Thématique enregistrée.',
  },
}
