/** French texts of the suppressions page. */

import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/suppressions/texts.ts'
import type { Translation } from '../../../translation.ts'

export const suppressions: Translation<typeof english.texts> = {
  title: 'Exclusions',
  lead: 'Ces adresses ne reçoivent jamais d’e-mails marketing, ou aucun d’une thématique, même si le contact est supprimé puis réimporté. Les e-mails transactionnels sont toujours envoyés.',
  add: 'Exclure une adresse',
  column: { email: 'E-mail', reason: 'Motif', topic: 'Thématique', added: 'Ajout' },
  allTopics: 'Tous les e-mails marketing',
  reason: 'Motif',
  anyReason: 'Tous les motifs',
  export: 'Exporter',
  import: 'Importer',
  importDialog: {
    title: 'Importer des exclusions',
    lead: 'Un fichier CSV avec une colonne « email », de 5 Mo au plus. Les colonnes « reason », « topic » et « createdAt » sont facultatives. Les contacts restent inchangés.',
    file: 'Fichier CSV',
    submit: 'Importer les exclusions',
    close: 'Fermer',
    done: (added, existing) =>
      `${formatCount(added, { one: 'adresse ajoutée', other: 'adresses ajoutées' })}, ${formatCount(existing, { one: 'déjà exclue', other: 'déjà exclues' })}.`,
    failed: (count) => `${formatCount(count, { one: 'ligne a été ignorée', other: 'lignes ont été ignorées' })} :`,
    row: (row, error) => `Ligne ${formatNumber(row)} : ${error}`,
  },
  reasons: { BOUNCE: 'Rebond permanent', COMPLAINT: 'Plainte pour spam', MANUAL: 'Ajoutée manuellement' },
  search: 'Rechercher une adresse',
  emptyTitle: 'Aucune adresse exclue',
  empty:
    'Les adresses sont exclues automatiquement après un rebond permanent ou une plainte pour spam, ce qui protège votre réputation d’expéditeur. Vous pouvez aussi exclure des adresses manuellement.',
  noMatchTitle: 'Aucune adresse correspondante',
  noMatch: 'Essayez une autre recherche.',
  removeLabel: (email) => `Lever l’exclusion de ${email}`,
  removeTopicEffect: (email, topic) =>
    `${email} peut de nouveau recevoir les e-mails marketing de la thématique « ${topic} », si le contact y est abonné.`,
  removeTitle: 'Lever cette exclusion ?',
  removeAction: 'Lever l’exclusion',
  removeEffect: (email) =>
    `${email} peut de nouveau recevoir des e-mails marketing si le contact est abonné. Envoyer à des adresses qui provoquent des rebonds nuit à votre réputation d’expéditeur.`,
  removed: 'Exclusion levée.',
  bulk: {
    label: 'Exclusions sélectionnées',
    selectPage: 'Sélectionner toutes les exclusions de cette page',
    select: (email) => `Sélectionner ${email}`,
    selected: (count) => formatCount(count, { one: 'exclusion sélectionnée', other: 'exclusions sélectionnées' }),
    selectAll: (total) => `Tout sélectionner (${formatNumber(total)})`,
    clear: 'Effacer la sélection',
    remove: 'Lever',
    removeTitle: (count) => `Lever ${formatCount(count, { one: 'exclusion', other: 'exclusions' })} ?`,
    removeAction: (count) => `Lever ${formatCount(count, { one: 'exclusion', other: 'exclusions' })}`,
    removeEffect:
      'Ces adresses peuvent de nouveau recevoir des e-mails marketing si les contacts sont abonnés. Envoyer à des adresses qui provoquent des rebonds ou signalent du spam nuit à votre réputation d’expéditeur.',
    done: (count) => `${formatCount(count, { one: 'exclusion levée', other: 'exclusions levées' })}.`,
  },
  addDialog: {
    title: 'Exclure une adresse',
    email: 'E-mail',
    topic: 'Thématique',
    submit: 'Exclure l’adresse',
    added: 'Adresse exclue.',
  },
}
