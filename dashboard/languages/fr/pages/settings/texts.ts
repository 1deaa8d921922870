/** French texts of the settings page and its tabs. */

import type * as english from '../../../../pages/settings/texts.ts'
import type { Translation } from '../../../translation.ts'

export const settings: Translation<typeof english.settingsTexts> = {
  title: 'Paramètres',
  /** Below the title of a section. */
  leads: {
    project: 'Le nom de ce projet et ce qui s’applique à tous ses e-mails.',
    branding:
      'Utilisée dans les e-mails visuels, dans le pied de page des e-mails marketing et sur les pages de désabonnement et de préférences.',
    sending:
      'Quand et combien d’e-mails marketing sont envoyés, ce que contiennent leurs liens et ce qui compte comme conversion.',
    usage: 'Combien d’e-mails ce projet utilise chaque mois, et ses limites.',
    security:
      'À quelle fréquence vos e-mails font l’objet d’un rebond ou sont signalés comme spam. Les fournisseurs de messagerie refusent les expéditeurs dont les taux sont élevés.',
    members: 'Les personnes qui peuvent travailler dans ce projet.',
    'audit-log':
      'Les modifications du projet, de la plus récente à la plus ancienne. Les entrées ne peuvent être ni modifiées ni supprimées.',
    keys: 'Vos applications s’authentifient avec ces clés.',
    smtp: 'Envoyez depuis des applications qui utilisent SMTP au lieu de l’API, et recevez des e-mails pour vos domaines.',
    account: 'La façon dont vous vous connectez. Elle est la même dans tous vos projets.',
    installation: 'Seuls les opérateurs de cette installation peuvent voir cette page.',
    'system-mail': 'Invitations, confirmations d’adresse et réinitialisations de mot de passe.',
  },
  unknownBrowser: 'Navigateur inconnu',
  browserOnSystem: (browser, system) => `${browser} sur ${system}`,
  projectTitle: 'Paramètres du projet',
  export: {
    title: 'Export',
    lead: 'Téléchargez tout le contenu de ce projet dans une archive ZIP de fichiers JSON Lines : contacts, consentements, thématiques, modèles, campagnes, workflows, e-mails et événements. Le journal d’audit en garde la trace.',
    action: 'Exporter le projet',
  },
  groups: {
    project: 'Projet',
    team: 'Équipe',
    developers: 'Développeurs',
    account: 'Personnel',
    installation: 'Installation',
  },
}
