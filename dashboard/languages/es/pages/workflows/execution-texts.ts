/** Spanish texts about executions: their list, their pages, and moving them to another step. */
import { formatCount, formatUnit } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/workflows/execution-texts.ts'
import type { Translation } from '../../../translation.ts'

const count = (amount: number, one: string, many: string) => formatCount(amount, { one, other: many })

export const execution: Translation<typeof english.executionTexts> = {
  executions: {
    title: 'Ejecuciones',
    lead: 'Una ejecución por cada vez que un contacto entró en el flujo.',
    status: 'Estado',
    anyStatus: 'Cualquier estado',
    columns: { contact: 'Contacto', status: 'Estado', step: 'Paso', started: 'Inicio' },
    noStep: '–',
    emptyTitle: 'Sin ejecuciones',
    empty:
      'Una ejecución empieza cuando ocurre el evento activador para un contacto. Activa el flujo para que empiecen ejecuciones.',
    emptyFiltered: 'Ninguna ejecución tiene este estado.',
    cancelAll: 'Cancelar todas las ejecuciones activas',
    total: (total) => count(total, 'ejecución', 'ejecuciones'),
    exited: (reason) => `Salida: ${reason}`,
    cancelAllTitle: '¿Cancelar todas las ejecuciones activas?',
    cancelAllEffect: (active) =>
      active === undefined
        ? 'Todas las ejecuciones activas se detendrán en su paso actual. Los correos ya enviados no se pueden recuperar.'
        : `${count(active, 'ejecución activa se detendrá en su paso actual', 'ejecuciones activas se detendrán en su paso actual')}. Los correos ya enviados no se pueden recuperar.`,
    cancelledAll: (cancelled) => count(cancelled, 'ejecución cancelada.', 'ejecuciones canceladas.'),
  },

  moves: {
    skip: 'Saltar la espera',
    moveTo: (step) => `Mover a «${step}»`,
    continue: 'Continuar antes',
    skipped: 'La espera se salta.',
    moved: (step) => `Continúa en «${step}».`,
    output: 'Se movió a otro paso',
    all: 'Dejar que todos continúen',
    allContinue: 'Los contactos continúan en breve.',
    waitingHere: (contacts) => `${count(contacts, 'contacto espera', 'contactos esperan')} aquí.`,
    title: (contacts) => `¿Dejar que ${count(contacts, 'contacto continúe', 'contactos continúen')} ahora?`,
    skipsWait:
      'Su espera termina ahora y continúan como si el tiempo hubiera pasado. Los contactos que lleguen después esperan como siempre.',
    movesTo: (step) =>
      `Su espera termina ahora y continúan en «${step}». Los contactos que lleguen después esperan como siempre.`,
    leave: 'Dejar que esperen',
    confirm: 'Dejar que continúen',
  },

  execution: {
    title: 'Ejecución',
    graph: 'Recorrido en el gráfico',
    steps: 'Pasos',
    noSteps: 'Aún no se ha ejecutado ningún paso.',
    viewEmail: 'Ver correo',
    goalReached: 'Objetivo alcanzado',
    goal: (event) => `Salió al alcanzar el objetivo «${event}»`,
    template: (name, version) => `${name ?? 'Plantilla'}, versión ${version}`,
    started: 'Empezó el <start/>',
    ran: 'Empezó el <start/> y duró <duration/>. <contact/>',
    running: 'Empezó el <start/>. <contact/>',
    seconds: (seconds) => (seconds < 1 ? 'menos de un segundo' : formatUnit(seconds, 'second')),
    viewContact: 'Ver contacto',
    startedAndResumes: 'Empezó el <start/>, continúa el <resume/>',
    cancel: 'Cancelar ejecución',
    cancelled: 'Ejecución cancelada.',
    retry: 'Reintentar ejecución',
    retried: 'La ejecución continúa en el paso que falló.',
  },
}
