/** French texts of the page that moves contacts from another service. */

import { formatCount } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/imports/move-texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

export const move: Translation<typeof english.moveTexts> = {
  title: 'Migrer depuis un autre service',
  lead: 'Récupérez les contacts avec leurs données, désabonnements, thématiques et modèles. Les personnes désabonnées le restent.',
  back: 'Importer des contacts',
  service: 'Service',
  files: 'Fichiers de l’export',
  filesOf: (what) => `${what}. Les fichiers sont lus dans votre navigateur : leur taille n’est pas limitée.`,
  choose: 'Choisir des fichiers',
  chosen: (names) => names.join(', '),
  none: 'Aucun fichier choisi.',
  subscribe: 'Abonner les personnes dont l’export ne précise pas l’abonnement',
  subscribeHint:
    'Seulement si toutes ont accepté de recevoir vos e-mails. Les personnes désabonnées ne sont jamais réabonnées.',
  from: 'Expéditeur des modèles',
  fromHint: 'Pour les modèles et les campagnes qui n’en ont pas.',
  check: 'Prévisualiser',
  checking: (contacts) => `Lecture de l’export… ${shared.contacts(contacts)} jusqu’à présent.`,
  moving: (contacts) => `Migration… ${shared.contacts(contacts)} jusqu’à présent. Gardez cette page ouverte.`,
  preview: 'Aperçu',
  previewLead: 'Rien n’a encore été modifié.',
  start: 'Migrer les contacts',
  confirmTitle: (contacts) => `Migrer ${shared.contacts(contacts)} ?`,
  confirm:
    'Les désabonnements et les exclusions sont écrits en premier. Les contacts existants gardent les valeurs absentes de l’export.',
  completed: 'Migration terminée',
  completedLead: 'Vous pouvez la répéter à tout moment : ce qui est déjà ici reste inchangé.',
  problems: (count) => formatCount(count, { one: 'problème', other: 'problèmes' }),
  problemsLead: 'Ces entrées n’ont pas été migrées. Toutes les autres l’ont été.',
  problem: { place: 'Emplacement', entry: 'Entrée', reason: 'Motif' },
  placeOf: (file, line) => (line === undefined ? file : `${file}, ligne ${line}`),
  link: 'Migrer depuis un autre service',
}
