/** Spanish texts of the suppressions page. */
import { formatCount, formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/suppressions/texts.ts'
import type { Translation } from '../../../translation.ts'

export const suppressions: Translation<typeof english.texts> = {
  title: 'Supresiones',
  lead: 'Estas direcciones nunca reciben correos de marketing, o ninguno de un tema, aunque el contacto se elimine y se vuelva a importar. Los correos transaccionales se siguen enviando.',
  add: 'Suprimir dirección',
  column: { email: 'Correo', reason: 'Motivo', topic: 'Tema', added: 'Añadida' },
  allTopics: 'Todo el marketing',
  reason: 'Motivo',
  anyReason: 'Todos los motivos',
  export: 'Exportar',
  import: 'Importar',
  importDialog: {
    title: 'Importar supresiones',
    lead: 'Un archivo CSV con una columna «email», de hasta 5 MB. Las columnas «reason», «topic» y «createdAt» son opcionales. Los contactos no cambian.',
    file: 'Archivo CSV',
    submit: 'Importar supresiones',
    close: 'Cerrar',
    done: (added, existing) =>
      `${formatCount(added, { one: 'añadida', other: 'añadidas' })}, ${formatCount(existing, { one: 'ya suprimida', other: 'ya suprimidas' })}.`,
    failed: (count) =>
      pickPlural(count, { one: 'Se omitió 1 fila:', other: `Se omitieron ${formatNumber(count)} filas:` }),
    row: (row, error) => `Fila ${formatNumber(row)}: ${error}`,
  },
  reasons: { BOUNCE: 'Rebote permanente', COMPLAINT: 'Queja de spam', MANUAL: 'Añadida manualmente' },
  search: 'Buscar direcciones',
  emptyTitle: 'Sin direcciones suprimidas',
  empty:
    'Las direcciones se suprimen automáticamente después de un rebote permanente o una queja de spam, lo que protege tu reputación como remitente. También puedes suprimir direcciones manualmente.',
  noMatchTitle: 'Ninguna dirección coincide',
  noMatch: 'Prueba con otra búsqueda.',
  removeLabel: (email) => `Quitar la supresión de ${email}`,
  removeTopicEffect: (email, topic) =>
    `${email} puede volver a recibir correos de marketing del tema «${topic}», si el contacto está suscrito a él.`,
  removeTitle: '¿Quitar esta supresión?',
  removeAction: 'Quitar supresión',
  removeEffect: (email) =>
    `${email} puede volver a recibir correos de marketing si el contacto está suscrito. Enviar a direcciones que rebotan daña tu reputación como remitente.`,
  removed: 'Supresión quitada.',
  bulk: {
    label: 'Supresiones seleccionadas',
    selectPage: 'Seleccionar todas las supresiones de esta página',
    select: (email) => `Seleccionar ${email}`,
    selected: (count) => formatCount(count, { one: 'supresión seleccionada', other: 'supresiones seleccionadas' }),
    selectAll: (total) => `Seleccionar las ${formatNumber(total)}`,
    clear: 'Borrar selección',
    remove: 'Quitar',
    removeTitle: (count) => `¿Quitar ${formatCount(count, { one: 'supresión', other: 'supresiones' })}?`,
    removeAction: (count) => `Quitar ${formatCount(count, { one: 'supresión', other: 'supresiones' })}`,
    removeEffect:
      'Estas direcciones pueden volver a recibir correos de marketing si los contactos están suscritos. Enviar a direcciones que rebotan o que denuncian spam daña tu reputación como remitente.',
    done: (count) => `${formatCount(count, { one: 'supresión quitada', other: 'supresiones quitadas' })}.`,
  },
  addDialog: {
    title: 'Suprimir dirección',
    email: 'Correo electrónico',
    topic: 'Tema',
    submit: 'Suprimir dirección',
    added: 'Dirección suprimida.',
  },
}
