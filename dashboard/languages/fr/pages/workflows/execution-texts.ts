/** French texts about executions: their list, their pages, and moving them to another step. */

import { formatCount, formatUnit } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/workflows/execution-texts.ts'
import type { Translation } from '../../../translation.ts'

const count = (amount: number, one: string, other: string) => formatCount(amount, { one, other })

export const execution: Translation<typeof english.executionTexts> = {
  executions: {
    title: 'Exécutions',
    lead: 'Une exécution pour chaque entrée d’un contact dans le workflow.',
    status: 'Statut',
    anyStatus: 'Tous les statuts',
    columns: { contact: 'Contact', status: 'Statut', step: 'Étape', started: 'Début' },
    noStep: '–',
    emptyTitle: 'Aucune exécution',
    empty:
      'Une exécution démarre lorsque l’événement déclencheur se produit pour un contact. Activez le workflow pour démarrer des exécutions.',
    emptyFiltered: 'Aucune exécution avec ce statut.',
    cancelAll: 'Annuler toutes les exécutions actives',
    total: (total) => count(total, 'exécution', 'exécutions'),
    exited: (reason) => `Sortie : ${reason}`,
    cancelAllTitle: 'Annuler toutes les exécutions actives ?',
    cancelAllEffect: (active) =>
      active === undefined
        ? 'Toutes les exécutions actives s’arrêteront à leur étape actuelle. Les e-mails déjà envoyés ne peuvent pas être rappelés.'
        : `${count(active, 'exécution active s’arrêtera à son étape actuelle', 'exécutions actives s’arrêteront à leur étape actuelle')}. Les e-mails déjà envoyés ne peuvent pas être rappelés.`,
    cancelledAll: (cancelled) => `${count(cancelled, 'exécution annulée', 'exécutions annulées')}.`,
  },

  moves: {
    skip: 'Passer l’attente',
    moveTo: (step) => `Déplacer vers « ${step} »`,
    continue: 'Écourter l’attente',
    skipped: 'L’attente est passée.',
    moved: (step) => `Reprend à « ${step} ».`,
    output: 'Déplacé vers une autre étape',
    all: 'Les faire tous continuer',
    allContinue: 'Les contacts continuent dans un instant.',
    waitingHere: (contacts) => `${count(contacts, 'contact attend', 'contacts attendent')} ici.`,
    title: (contacts) => `Faire continuer ${count(contacts, 'contact', 'contacts')} maintenant ?`,
    skipsWait:
      'Leur attente prend fin maintenant et ils continuent comme si le délai était écoulé. Les contacts qui arrivent plus tard attendent normalement.',
    movesTo: (step) =>
      `Leur attente prend fin maintenant et ils continuent à « ${step} ». Les contacts qui arrivent plus tard attendent normalement.`,
    leave: 'Les laisser attendre',
    confirm: 'Les faire continuer',
  },

  execution: {
    title: 'Exécution',
    graph: 'Parcours dans le graphe',
    steps: 'Étapes',
    noSteps: 'Aucune étape exécutée.',
    viewEmail: 'Voir l’e-mail',
    goalReached: 'Objectif atteint',
    goal: (event) => `Sortie lorsque l’objectif « ${event} » a été atteint`,
    template: (name, version) => `${name ?? 'Modèle'}, version ${version}`,
    started: 'Démarrée le <start/>',
    ran: 'Démarrée le <start/>, durée : <duration/>. <contact/>',
    running: 'Démarrée le <start/>. <contact/>',
    seconds: (seconds) => (seconds < 1 ? 'moins d’une seconde' : formatUnit(seconds, 'second')),
    viewContact: 'Voir le contact',
    startedAndResumes: 'Démarrée le <start/>, reprise le <resume/>',
    cancel: 'Annuler l’exécution',
    cancelled: 'Exécution annulée.',
    retry: 'Relancer l’exécution',
    retried: 'L’exécution reprend à l’étape qui a échoué.',
  },
}
