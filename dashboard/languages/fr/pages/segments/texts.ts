/** French texts of the segment pages. */

import { formatCount, formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/segments/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

const types = { DYNAMIC: 'Dynamique', STATIC: 'Statique' }

export const segments: Translation<typeof english.texts> = {
  title: 'Segments',
  lead: 'Regroupez des contacts par conditions ou choisissez-les un par un. Utilisez les segments comme audiences de campagnes.',
  create: 'Créer un segment',
  column: { name: 'Nom', type: 'Type', contacts: 'Contacts', share: 'Part', updated: 'Mise à jour' },
  types,
  tracked: 'Enregistre les entrées et sorties',
  search: 'Rechercher un segment',
  noMatchTitle: 'Aucun segment correspondant',
  noMatch: 'Essayez une autre recherche.',
  emptyTitle: 'Aucun segment',
  empty:
    'Un segment est un groupe de contacts, par exemple les abonnés de l’offre Pro. Les segments dynamiques se mettent à jour automatiquement. Utilisez les segments comme audiences de campagnes et pour démarrer des workflows.',
  one: {
    title: 'Segment',
    contacts: 'Contacts',
    edit: 'Modifier le segment',
    recalculate: 'Recalculer maintenant',
    recalculated: (entered, left) =>
      `Segment recalculé : ${formatCount(entered, { one: 'entrée', other: 'entrées' })}, ${formatCount(left, { one: 'sortie', other: 'sorties' })}.`,
    createCampaign: 'Créer une campagne',
    deleted: 'Segment supprimé.',
    delete: { title: 'Supprimer ce segment ?', action: 'Supprimer le segment' },
    deleteEffect: (contacts) =>
      `Le segment est supprimé, mais ${formatCount(contacts, {
        one: 'contact est conservé',
        other: 'contacts sont conservés',
      })}. Un segment utilisé par une campagne programmée ou en cours d’envoi ne peut pas être supprimé.`,
    members: {
      lead: 'Contacts qui correspondent actuellement :',
      label: 'Contacts de ce segment',
      column: { email: 'E-mail', name: 'Nom', status: 'Statut', added: 'Contact ajouté' },
      remove: (email) => `Retirer ${email}`,
      removed: (email) => `${email} retiré du segment.`,
      emptyTitle: 'Aucun contact',
      emptyStatic: 'Ajoutez des contacts par adresse e-mail.',
      emptyDynamic: 'Aucun contact ne correspond à la condition.',
    },
  },
  share: (share) => `${share} de tous les contacts`,
  size: {
    title: 'Évolution de la taille',
    lead: 'Relevée une fois par jour.',
    range: 'Période',
    ranges: { '30': '30 derniers jours', '90': '90 derniers jours', '365': '365 derniers jours' },
    showTable: 'Afficher en tableau',
    showChart: 'Afficher en graphique',
    day: 'Jour',
    contacts: 'Contacts',
    share: 'Part de tous les contacts',
    empty: 'Le graphique montre comment le segment grandit. Il apparaît dès que la taille de deux jours est relevée.',
  },
  addMembers: {
    title: 'Ajouter des contacts',
    lead: 'Ajoutez jusqu’à 500 contacts à la fois.',
    addresses: 'Adresses e-mail',
    addressesHint: 'Séparez les adresses par des virgules ou des sauts de ligne.',
    createMissing: 'Créer des contacts pour les adresses qui n’existent pas encore',
    notFound: (count) =>
      pickPlural(count, {
        one: 'Cette adresse n’est pas encore un contact et n’a donc pas été ajoutée.',
        other: 'Ces adresses ne sont pas encore des contacts et n’ont donc pas été ajoutées.',
      }),
    submit: (count) => (count === 0 ? 'Ajouter des contacts' : `Ajouter ${shared.contacts(count)}`),
    added: (added, created) =>
      `${formatCount(added, { one: 'contact ajouté', other: 'contacts ajoutés' })}${
        created > 0 ? `, dont ${formatCount(created, { one: 'nouveau contact', other: 'nouveaux contacts' })}` : ''
      }.`,
  },
  editor: {
    createTitle: 'Créer un segment',
    editTitle: 'Modifier le segment',
    save: 'Enregistrer',
    saved: 'Segment enregistré.',
    name: 'Nom',
    type: 'Type',
    types: {
      DYNAMIC: {
        title: types.DYNAMIC,
        hint: 'Les contacts qui correspondent à une condition. Mise à jour automatique.',
      },
      STATIC: { title: types.STATIC, hint: 'Les contacts que vous ajoutez et retirez vous-même.' },
    },
    description: 'Description',
    trackMembership: 'Enregistrer un événement lorsqu’un contact entre ou sort',
    trackMembershipHint:
      'Ces événements peuvent démarrer des workflows et figurent dans la chronologie de chaque contact.',
    namePlaceholder: 'Clients de l’offre Pro',
    condition: 'Condition',
    staticHint: 'Enregistrez le segment, puis ajoutez des contacts par adresse e-mail.',
  },
  preview: {
    label: 'Contacts correspondants',
    incomplete: 'Complétez tous les filtres pour voir les contacts correspondants.',
    matching: (count) =>
      pickPlural(count, { one: 'contact correspond actuellement', other: 'contacts correspondent actuellement' }),
    notSubscribed: 'Non abonné',
    more: (count) => `et ${formatNumber(count)} de plus`,
  },
}
