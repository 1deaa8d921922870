/** French texts of the page that imports contacts. */

import { formatCount, formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/imports/texts.ts'
import type { Translation } from '../../../translation.ts'

export const imports: Translation<typeof english.texts> = {
  contacts: 'Contacts',
  title: 'Importer des contacts',
  lead: 'Le fichier doit avoir une colonne d’adresses e-mail. Toute autre colonne peut devenir un champ. Les contacts existants sont mis à jour.',
  choose: 'Choisir un fichier CSV',
  dropHint: 'Ou déposez-le ici.',
  chooseHint:
    'Noms des colonnes sur la première ligne, séparés par des virgules, des points-virgules ou des tabulations. 5 Mo au plus.',
  example: 'Exemple',
  exampleLead: 'La colonne « subscribed » est facultative. Sans elle, les nouveaux contacts sont abonnés.',
  chooseOther: 'Choisir un autre fichier',
  sample: 'Télécharger un exemple de fichier',
  tooLarge: 'Le fichier dépasse 5 Mo. Divisez-le en fichiers plus petits.',
  notText: 'Ce n’est pas un fichier texte. Exportez la liste en CSV et choisissez le fichier exporté.',
  hasHeader: 'La première ligne contient les noms des colonnes',
  newContacts: {
    label: 'Nouveaux contacts',
    choices: {
      subscribed: 'Seront abonnés',
      unsubscribed: 'Ne seront pas abonnés',
      confirm: 'Reçoivent d’abord un e-mail de confirmation',
    },
  },
  status: {
    title: (column) => `La colonne « ${column} » indique-t-elle qui est abonné ?`,
    lead: 'Si c’est le cas et qu’elle n’est pas importée comme abonnement, des personnes désabonnées ailleurs recevront de nouveau vos e-mails.',
    yes: 'Oui, l’importer comme abonnement',
    no: 'Non, c’est autre chose',
  },
  emptyFile: 'Le fichier est vide. Choisissez un fichier avec une ligne d’en-tête et au moins un contact.',
  start: 'Importer les contacts',
  converted: 'Ce fichier n’est pas encodé en UTF-8. Il sera converti avant d’être transmis.',
  mapping: {
    title: 'Colonnes',
    lead: 'Choisissez comment importer chaque colonne. Les cellules vides ne modifient pas les valeurs existantes.',
    label: 'Colonnes du fichier',
    column: { name: 'Colonne', samples: 'Premières valeurs', field: 'Importer comme' },
    fieldOf: (column) => `Champ pour ${column}`,
    nameOf: (column) => `Nom du champ pour ${column}`,
    typeOf: (column) => `Type de ${column}`,
    choices: { '': 'Ne pas importer', email: 'Adresse e-mail', subscribed: 'Abonnement', data: 'Champ personnalisé' },
    place: (position) => `Colonne ${position}`,
    wordsOf: (column) => `Signification des valeurs de ${column}`,
    word: (word) => `« ${word} » signifie`,
    chooseMeaning: 'Choisir…',
    subscribed: 'Abonné',
    unsubscribed: 'Non abonné',
    unclear: 'Choisissez la signification de chaque valeur de la colonne d’abonnement.',
    namePlaceholder: 'Nom du champ',
    types: { string: 'Texte', number: 'Nombre', boolean: 'Oui/non', date: 'Date' },
    problems: {
      'no-email': 'Choisissez la colonne qui contient les adresses e-mail.',
      unnamed: (column) => `Saisissez un nom de champ pour la colonne « ${column} ».`,
      twice: (column) =>
        `La colonne « ${column} » est importée dans le même champ qu’une autre colonne. Choisissez un autre champ.`,
    },
  },
  effect: {
    title: 'Aperçu',
    label: 'Aperçu de l’import',
    lead: (rows) =>
      pickPlural(rows, {
        one: 'Ce que l’import ferait de la ligne du fichier.',
        other: `Ce que l’import ferait des ${formatNumber(rows)} lignes du fichier.`,
      }),
    created: (count) => formatCount(count, { one: 'contact sera créé.', other: 'contacts seront créés.' }),
    updated: (count) =>
      formatCount(count, {
        one: 'ligne mettra à jour un contact existant.',
        other: 'lignes mettront à jour des contacts existants.',
      }),
    unchanged: (count) => formatCount(count, { one: 'ligne ne change rien.', other: 'lignes ne changent rien.' }),
    failed: (count) => formatCount(count, { one: 'ligne sera ignorée.', other: 'lignes seront ignorées.' }),
    leftOut: (count) =>
      formatCount(count, {
        one: 'valeur ne correspond pas à son type et sera omise.',
        other: 'valeurs ne correspondent pas à leur type et seront omises.',
      }),
    problem: (row, problem) => `Ligne ${formatNumber(row)} : ${problem}`,
    dotted: (name) =>
      `« ${name} » est enregistré comme un seul nom contenant un point. Dans les modèles, utilisez {{ data["${name}"] }}, car {{ ${name} }} ne le trouve pas.`,
    valueOf: (name, value) => `${name} : ${value}`,
    outcomes: { created: 'Nouveau', updated: 'Mise à jour', unchanged: 'Inchangé', failed: 'Ignoré' },
    result: 'Résultat',
  },
  confirmations: {
    title: 'Confirmation',
    lead: 'À utiliser si vous ne pouvez pas prouver que les personnes du fichier ont accepté de recevoir vos e-mails.',
    perHour: 'E-mails par heure',
    rateProblem: (max) => `Saisissez un nombre entier de 1 à ${formatNumber(max)}.`,
    note: 'Les nouveaux contacts, et les contacts existants qui ne sont pas abonnés, ne reçoivent aucun e-mail marketing avant d’avoir confirmé. Les contacts désabonnés ou dont l’adresse est exclue ne sont pas sollicités.',
    progress: 'E-mails de confirmation',
    rate: (perHour) =>
      `Chaque contact reçoit un e-mail avec un lien qui confirme l’abonnement, à raison de ${formatNumber(perHour)} par heure.`,
    nobody: 'Aucun contact du fichier ne doit être sollicité.',
    running: 'Envoi des e-mails de confirmation',
    completed: 'Tous les contacts ont été sollicités',
    asked: 'Sollicités',
    waiting: 'En attente',
    skipped: 'Non sollicités',
    leave: 'Vous pouvez quitter cette page : les e-mails sont envoyés en arrière-plan.',
  },
  running: 'Import des contacts',
  completed: 'Import terminé',
  failed: 'L’import a échoué.',
  viewContacts: 'Voir les contacts',
  another: 'Importer un autre fichier',
  rows: 'Lignes',
  created: 'Créés',
  updated: 'Mis à jour',
  unchanged: 'Inchangés',
  failures: 'Ignorés',
  skippedTitle: 'Lignes ignorées',
  skippedLead: 'Ces lignes ont été ignorées. Toutes les autres ont été importées.',
  skippedSome: (shown, total) =>
    `Affichage des ${formatNumber(shown)} premières lignes ignorées sur ${formatNumber(total)}.`,
  leftOutTitle: 'Valeurs omises',
  leftOutLead: (count) =>
    formatCount(count, {
      one: 'valeur ne correspond pas au type de sa colonne. Le reste de sa ligne a été importé.',
      other: 'valeurs ne correspondent pas au type de leur colonne. Le reste de leurs lignes a été importé.',
    }),
  column: { row: 'Ligne', email: 'E-mail', reason: 'Motif' },
}
