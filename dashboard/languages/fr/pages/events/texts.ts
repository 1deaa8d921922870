/** French texts of the events page. */

import { formatCount, formatList, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/events/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

const CONTACTS = { one: 'contact', other: 'contacts' }

const eventCount = (count: number) => formatCount(count, { one: 'événement', other: 'événements' })

export const events: Translation<typeof english.texts> = {
  title: 'Événements',
  lead: 'Suivez ce que font vos utilisateurs. Les événements démarrent des workflows et peuvent servir dans les conditions des segments.',
  column: { event: 'Événement', contact: 'Contact', data: 'Données', date: 'Date' },
  name: 'Nom de l’événement',
  allEvents: 'Tous les événements',
  own: 'Vos événements',
  system: 'Événements d’e-mails et de segments',
  emptyTitle: 'Aucun événement',
  empty: 'Envoyez cette requête pour suivre le premier. Elle crée aussi le contact si l’adresse est nouvelle.',
  noMatchTitle: 'Aucun événement correspondant',
  example: 'Exemple curl pour suivre un événement',
  track: {
    open: 'Suivre un événement',
    lead: 'Envoyez cette requête depuis votre site web ou votre application. Un événement crée son contact si l’adresse est nouvelle.',
    save: 'Enregistrer aussi les propriétés comme champs du contact',
    notSaved:
      '« data » contient les propriétés de l’événement. Avec « persistent » : false, elles restent avec l’événement.',
    saved: 'Chaque propriété de « data » devient un champ du contact et remplace sa valeur.',
    more: 'Toutes les options se trouvent dans la <docs>référence de l’API</docs>.',
  },
  chart: {
    title: (event) => `${event} par jour`,
    lead: (count) => `${eventCount(count)} sur cette période, par jour UTC.`,
    period: 'Période',
    periods: { 30: '30 derniers jours', 90: '90 derniers jours', 365: '365 derniers jours' },
    events: 'Événements',
  },
  history: {
    open: 'Importer l’historique',
    lead: 'Ajoutez des événements passés pour les retrouver dans les graphiques et les segments. Chaque ligne d’un fichier en décrit un.',
    example: 'Exemple de ligne',
    rules:
      'Un fichier CSV avec les colonnes email, event et timestamp convient aussi. Les événements importés ne démarrent aucun workflow et ne modifient aucun contact. Les contacts doivent exister. 5 Mo au plus par fichier.',
    docs: 'Lire les détails',
    file: 'Fichier d’événements',
    choose: 'Choisir un fichier',
    done: (imported, existing, skipped) =>
      [
        `${formatCount(imported, { one: 'événement importé', other: 'événements importés' })}.`,
        ...(existing > 0
          ? [`${formatCount(existing, { one: 'événement déjà importé', other: 'événements déjà importés' })}.`]
          : []),
        ...(skipped > 0 ? [`${formatCount(skipped, { one: 'ligne ignorée', other: 'lignes ignorées' })}.`] : []),
      ].join(' '),
    skipped: 'Lignes ignorées',
    column: { row: 'Ligne', email: 'E-mail', reason: 'Motif' },
  },
  counts: {
    title: 'Événements les plus fréquents',
    lead: 'Comptés sur toute la période. Sélectionnez un événement pour voir quand et pour quels contacts il a eu lieu.',
    contacts: (count, contacts) =>
      count === contacts ? pickPlural(contacts, CONTACTS) : `pour ${shared.contacts(contacts)}`,
  },
  delete: {
    open: 'Supprimer des événements',
    title: (name) => `Supprimer tous les événements « ${name} » ?`,
    action: 'Supprimer les événements',
    effect: (events, contacts) =>
      `${formatCount(events, {
        one: 'événement est supprimé',
        other: 'événements sont supprimés',
      })} définitivement pour ${shared.contacts(contacts)}.`,
    usedBy: (names) =>
      `${formatList(names)} ${pickPlural(names.length, { one: 'ne trouvera plus', other: 'ne trouveront plus' })} ces événements.`,
    done: (events) => `${formatCount(events, { one: 'événement supprimé', other: 'événements supprimés' })}.`,
  },
}
