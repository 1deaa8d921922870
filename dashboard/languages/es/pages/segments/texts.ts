/** Spanish texts of the segment pages. */
import { formatCount, formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/segments/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

const types = { DYNAMIC: 'Dinámico', STATIC: 'Estático' }

const addedContacts = (count: number) => formatCount(count, { one: 'contacto añadido', other: 'contactos añadidos' })

export const segments: Translation<typeof english.texts> = {
  title: 'Segmentos',
  lead: 'Agrupa contactos mediante condiciones o elígelos uno a uno. Usa los segmentos como audiencia de campañas.',
  create: 'Crear segmento',
  column: { name: 'Nombre', type: 'Tipo', contacts: 'Contactos', share: 'Porcentaje', updated: 'Actualizado' },
  types,
  tracked: 'Registra entradas y salidas',
  search: 'Buscar segmentos',
  noMatchTitle: 'Ningún segmento coincide',
  noMatch: 'Prueba con otra búsqueda.',
  emptyTitle: 'Aún no hay segmentos',
  empty:
    'Un segmento es un grupo de contactos, por ejemplo los suscriptores del plan pro. Los segmentos dinámicos se actualizan automáticamente. Usa los segmentos como audiencia de campañas y para iniciar flujos.',
  one: {
    title: 'Segmento',
    contacts: 'Contactos',
    edit: 'Editar segmento',
    recalculate: 'Recalcular ahora',
    recalculated: (entered, left) =>
      `Segmento recalculado: ${formatCount(entered, { one: 'entrada', other: 'entradas' })}, ${formatCount(left, { one: 'salida', other: 'salidas' })}.`,
    createCampaign: 'Crear campaña',
    deleted: 'Segmento eliminado.',
    delete: { title: '¿Eliminar este segmento?', action: 'Eliminar segmento' },
    deleteEffect: (contacts) =>
      `${pickPlural(contacts, {
        one: 'El segmento se elimina, pero su único contacto se conserva.',
        other: `El segmento se elimina, pero sus ${shared.contacts(contacts)} se conservan.`,
      })} Un segmento que usa una campaña programada o en envío no se puede eliminar.`,
    members: {
      lead: 'Contactos que cumplen ahora la condición:',
      label: 'Contactos de este segmento',
      column: { email: 'Correo', name: 'Nombre', status: 'Estado', added: 'Contacto añadido' },
      remove: (email) => `Quitar ${email}`,
      removed: (email) => `${email} ya no está en el segmento.`,
      emptyTitle: 'Sin contactos',
      emptyStatic: 'Añade contactos por su dirección de correo.',
      emptyDynamic: 'Ningún contacto cumple la condición.',
    },
  },
  share: (share) => `${share} de todos los contactos`,
  size: {
    title: 'Evolución del tamaño',
    lead: 'Se registra una vez al día.',
    range: 'Periodo',
    ranges: { '30': 'Últimos 30 días', '90': 'Últimos 90 días', '365': 'Últimos 365 días' },
    showTable: 'Mostrar como tabla',
    showChart: 'Mostrar como gráfico',
    day: 'Día',
    contacts: 'Contactos',
    share: 'Porcentaje de los contactos',
    empty: 'El gráfico muestra cómo crece el segmento. Aparece cuando se ha registrado el tamaño de dos días.',
  },
  addMembers: {
    title: 'Añadir contactos',
    lead: 'Añade hasta 500 contactos de una vez.',
    addresses: 'Direcciones de correo',
    addressesHint: 'Separa las direcciones con comas o saltos de línea.',
    createMissing: 'Crear contactos para las direcciones que aún no existen',
    notFound: (count) =>
      pickPlural(count, {
        one: 'Esta dirección aún no es un contacto, así que no se añadió.',
        other: 'Estas direcciones aún no son contactos, así que no se añadieron.',
      }),
    submit: (count) => (count === 0 ? 'Añadir contactos' : `Añadir ${shared.contacts(count)}`),
    added: (added, created) =>
      created > 0
        ? `${addedContacts(added)}, ${formatCount(created, { one: 'de ellos nuevo', other: 'de ellos nuevos' })}.`
        : `${addedContacts(added)}.`,
  },
  editor: {
    createTitle: 'Crear segmento',
    editTitle: 'Editar segmento',
    save: 'Guardar segmento',
    saved: 'Segmento guardado.',
    name: 'Nombre',
    type: 'Tipo',
    types: {
      DYNAMIC: {
        title: types.DYNAMIC,
        hint: 'Contactos que cumplen una condición. Se actualiza automáticamente.',
      },
      STATIC: { title: types.STATIC, hint: 'Contactos que añades y quitas tú.' },
    },
    description: 'Descripción',
    trackMembership: 'Registrar un evento cuando un contacto entra o sale',
    trackMembershipHint:
      'Los flujos se pueden iniciar con estos eventos, y aparecen en la cronología de cada contacto.',
    namePlaceholder: 'Clientes del plan pro',
    condition: 'Condición',
    staticHint: 'Guarda el segmento y añade después contactos por su dirección de correo.',
  },
  preview: {
    label: 'Contactos que coinciden',
    incomplete: 'Completa todos los filtros para ver los contactos que coinciden.',
    matching: (count) => pickPlural(count, { one: 'contacto coincide ahora', other: 'contactos coinciden ahora' }),
    notSubscribed: 'No suscrito',
    more: (count) => `y ${formatNumber(count)} más`,
  },
}
