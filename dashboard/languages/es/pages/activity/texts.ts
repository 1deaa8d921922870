/** Spanish texts of the activity page. */
import { formatCount } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/activity/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

export const activity: Translation<typeof english.texts> = {
  title: 'Actividad',
  lead: 'Todo lo que ocurre en este proyecto, en tiempo real.',
  type: 'Tipo',
  allTypes: 'Toda la actividad',
  categories: {
    emails: 'Todos los correos',
    contacts: 'Todos los cambios de contactos',
    campaigns: 'Todas las campañas',
    workflows: 'Todos los flujos',
    tracked: 'Todos los eventos registrados',
  },
  period: 'Periodo',
  periods: { '': 'Cualquier fecha', 1: 'Hoy', 7: 'Últimos 7 días', 30: 'Últimos 30 días' },
  clearFilters: 'Borrar filtros',
  onlyContact: (email) => `Mostrar solo la actividad de ${email}`,
  group: (times, contacts) =>
    contacts === times
      ? shared.contacts(contacts)
      : [formatCount(times, { one: 'vez', other: 'veces' }), ...(contacts > 0 ? [shared.contacts(contacts)] : [])].join(
          ' · ',
        ),
  older: 'Mostrar actividad anterior',
  noMatchTitle: 'Ninguna actividad coincide',
  noMatch: 'Prueba con otro tipo o periodo.',
  live: 'En vivo',
  paused: 'En pausa',
  connecting: 'Conectando…',
  pause: 'Pausar actualizaciones',
  resume: 'Reanudar actualizaciones',
  emptyTitle: 'Aún no hay actividad',
  empty:
    'Los correos, eventos, campañas y flujos aparecen aquí a medida que ocurren. Envía un correo o registra un evento para ver la primera entrada.',
  latest: 'Actividad más reciente',
  sendFirst: 'Enviar tu primer correo',
  upcoming: {
    title: 'Próximamente',
    empty:
      'No hay nada programado. Aquí aparecen las campañas y los correos programados, y los contactos que esperan en flujos.',
    unnamed: 'Sin nombre',
    campaignStarts: 'Campaña programada',
    emailSent: (email) => `Correo programado para ${email ?? 'un contacto'}`,
    waits: (email, event) => `Flujo: ${email ?? 'un contacto'} espera «${event}»`,
    continues: (email) => `Flujo: siguiente paso para ${email ?? 'un contacto'}`,
  },
}
