/** Spanish texts of the events page. */
import { formatCount, formatList, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/events/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

const CONTACTS = { one: 'contacto', other: 'contactos' }

const eventCount = (count: number) => formatCount(count, { one: 'evento', other: 'eventos' })

export const events: Translation<typeof english.texts> = {
  title: 'Eventos',
  lead: 'Registra lo que hacen tus usuarios. Los eventos inician flujos y se pueden usar en condiciones de segmentos.',
  column: { event: 'Evento', contact: 'Contacto', data: 'Datos', date: 'Fecha' },
  name: 'Nombre del evento',
  allEvents: 'Todos los eventos',
  own: 'Tus eventos',
  system: 'Eventos de correos y segmentos',
  emptyTitle: 'Aún no hay eventos',
  empty: 'Envía esta solicitud para registrar el primero. También crea el contacto si la dirección es nueva.',
  noMatchTitle: 'Ningún evento coincide',
  example: 'Ejemplo con curl para registrar un evento',
  track: {
    open: 'Registrar un evento',
    lead: 'Envía esta solicitud desde tu sitio web o tu aplicación. Un evento crea su contacto si la dirección es nueva.',
    save: 'Guardar también las propiedades como campos del contacto',
    notSaved: '«data» contiene las propiedades del evento. Con «persistent»: false, se quedan en el evento.',
    saved: 'Cada propiedad de «data» se convierte en un campo del contacto y reemplaza su valor.',
    more: 'Consulta todas las opciones en la <docs>referencia de la API</docs>.',
  },
  chart: {
    title: (event) => `${event} por día`,
    lead: (count) => `${eventCount(count)} en este periodo, por día UTC.`,
    period: 'Periodo',
    periods: { 30: 'Últimos 30 días', 90: 'Últimos 90 días', 365: 'Últimos 365 días' },
    events: 'Eventos',
  },
  history: {
    open: 'Importar historial',
    lead: 'Añade eventos del pasado para que aparezcan en gráficos y segmentos. Cada línea de un archivo describe uno.',
    example: 'Ejemplo de una línea',
    rules:
      'También sirve un archivo CSV con las columnas email, event y timestamp. Los eventos importados no inician flujos ni cambian contactos. Los contactos deben existir. Hasta 5 MB por archivo.',
    docs: 'Leer los detalles',
    file: 'Archivo con eventos',
    choose: 'Elegir un archivo',
    done: (imported, existing, skipped) =>
      [
        formatCount(imported, { one: 'evento importado.', other: 'eventos importados.' }),
        ...(existing > 0
          ? [formatCount(existing, { one: 'evento ya estaba importado.', other: 'eventos ya estaban importados.' })]
          : []),
        ...(skipped > 0 ? [formatCount(skipped, { one: 'fila omitida.', other: 'filas omitidas.' })] : []),
      ].join(' '),
    skipped: 'Filas omitidas',
    column: { row: 'Fila', email: 'Correo', reason: 'Motivo' },
  },
  counts: {
    title: 'Eventos más frecuentes',
    lead: 'Se cuentan desde siempre. Selecciona un evento para ver cuándo ocurrió y para qué contactos.',
    contacts: (count, contacts) =>
      count === contacts ? pickPlural(contacts, CONTACTS) : `(${shared.contacts(contacts)})`,
  },
  delete: {
    open: 'Eliminar eventos',
    title: (name) => `¿Eliminar todos los eventos «${name}»?`,
    action: 'Eliminar eventos',
    effect: (events, contacts) =>
      `Se ${pickPlural(events, { one: 'eliminará', other: 'eliminarán' })} de forma permanente ${eventCount(events)} de ${shared.contacts(contacts)}.`,
    usedBy: (names) =>
      `${formatList(names)} ya no ${pickPlural(names.length, { one: 'encontrará', other: 'encontrarán' })} estos eventos.`,
    done: (events) => formatCount(events, { one: 'evento eliminado.', other: 'eventos eliminados.' }),
  },
}
