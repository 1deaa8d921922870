/** German texts about executions: their list, their pages, and moving them to another step. */

import { formatCount, formatNumber, formatUnit, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/workflows/execution-texts.ts'
import type { Translation } from '../../../translation.ts'

const executions = (count: number) => formatCount(count, { one: 'Durchlauf', other: 'Durchläufe' })

export const execution: Translation<typeof english.executionTexts> = {
  executions: {
    title: 'Durchläufe',
    lead: 'Ein Durchlauf für jeden Eintritt eines Kontakts in den Workflow.',
    status: 'Status',
    anyStatus: 'Alle Status',
    columns: { contact: 'Kontakt', status: 'Status', step: 'Schritt', started: 'Gestartet' },
    noStep: '–',
    emptyTitle: 'Keine Durchläufe',
    empty:
      'Ein Durchlauf startet, wenn das auslösende Ereignis für einen Kontakt eintritt. Aktivieren Sie den Workflow, um Durchläufe zu starten.',
    emptyFiltered: 'Keine Durchläufe mit diesem Status.',
    cancelAll: 'Alle aktiven Durchläufe abbrechen',
    total: executions,
    exited: (reason) => `Beendet: ${reason}`,
    cancelAllTitle: 'Alle aktiven Durchläufe abbrechen?',
    cancelAllEffect: (active) =>
      active === undefined
        ? 'Alle aktiven Durchläufe enden bei ihrem aktuellen Schritt. Bereits gesendete E-Mails können nicht zurückgeholt werden.'
        : `${pickPlural(active, { one: '1 aktiver Durchlauf endet bei seinem aktuellen Schritt', other: `${formatNumber(active)} aktive Durchläufe enden bei ihrem aktuellen Schritt` })}. Bereits gesendete E-Mails können nicht zurückgeholt werden.`,
    cancelledAll: (cancelled) => `${executions(cancelled)} abgebrochen.`,
  },

  moves: {
    skip: 'Warten überspringen',
    moveTo: (step) => `Zu „${step}“ verschieben`,
    continue: 'Vorzeitig fortfahren',
    skipped: 'Die Wartezeit wird übersprungen.',
    moved: (step) => `Weiter bei „${step}“.`,
    output: 'Zu anderem Schritt verschoben',
    all: 'Alle fortfahren lassen',
    allContinue: 'Die Kontakte fahren in Kürze fort.',
    waitingHere: (contacts) => `${formatCount(contacts, { one: 'Kontakt wartet', other: 'Kontakte warten' })} hier.`,
    title: (contacts) => `${formatCount(contacts, { one: 'Kontakt', other: 'Kontakte' })} jetzt fortfahren lassen?`,
    skipsWait:
      'Ihre Wartezeit endet jetzt, und sie fahren fort, als wäre die Zeit abgelaufen. Kontakte, die später ankommen, warten wie üblich.',
    movesTo: (step) =>
      `Ihre Wartezeit endet jetzt, und sie fahren bei „${step}“ fort. Kontakte, die später ankommen, warten wie üblich.`,
    leave: 'Warten lassen',
    confirm: 'Fortfahren lassen',
  },

  execution: {
    title: 'Durchlauf',
    graph: 'Weg im Graphen',
    steps: 'Schritte',
    noSteps: 'Noch kein Schritt wurde ausgeführt.',
    viewEmail: 'E-Mail ansehen',
    goalReached: 'Ziel erreicht',
    goal: (event) => `Beendet, als das Ziel „${event}“ erreicht wurde`,
    template: (name, version) => `${name ?? 'Vorlage'}, Version ${version}`,
    started: 'Gestartet am <start/>',
    ran: 'Dauer: <duration/>, gestartet am <start/>. <contact/>',
    running: 'Gestartet am <start/>. <contact/>',
    seconds: (seconds) => (seconds < 1 ? 'weniger als eine Sekunde' : formatUnit(seconds, 'second')),
    viewContact: 'Kontakt ansehen',
    startedAndResumes: 'Gestartet am <start/>, Fortsetzung am <resume/>',
    cancel: 'Durchlauf abbrechen',
    cancelled: 'Durchlauf abgebrochen.',
    retry: 'Durchlauf erneut versuchen',
    retried: 'Der Durchlauf wird bei dem Schritt fortgesetzt, der fehlgeschlagen ist.',
  },
}
