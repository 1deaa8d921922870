/** Spanish texts of the page that imports contacts. */
import { formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/imports/texts.ts'
import type { Translation } from '../../../translation.ts'

export const imports: Translation<typeof english.texts> = {
  contacts: 'Contactos',
  title: 'Importar contactos',
  lead: 'El archivo necesita una columna con direcciones de correo. Cualquier otra columna puede convertirse en un campo. Los contactos existentes se actualizan.',
  choose: 'Elegir un archivo CSV',
  dropHint: 'O suéltalo aquí.',
  chooseHint: 'Nombres de columnas en la primera fila, separados por comas, puntos y comas o tabulaciones. Hasta 5 MB.',
  example: 'Ejemplo',
  exampleLead: 'La columna «subscribed» es opcional. Los contactos nuevos sin ella quedan suscritos.',
  chooseOther: 'Elegir otro archivo',
  sample: 'Descargar un archivo de ejemplo',
  tooLarge: 'El archivo supera los 5 MB. Divídelo en archivos más pequeños.',
  notText: 'Esto no es un archivo de texto. Exporta la lista como CSV y elige el archivo exportado.',
  hasHeader: 'La primera fila contiene los nombres de las columnas',
  newContacts: {
    label: 'Contactos nuevos',
    choices: {
      subscribed: 'Quedarán suscritos',
      unsubscribed: 'No quedarán suscritos',
      confirm: 'Recibirán antes un correo de confirmación',
    },
  },
  status: {
    title: (column) => `¿Indica «${column}» quién está suscrito?`,
    lead: 'Si lo indica y no se importa como la suscripción, quienes se dieron de baja en otro sitio volverán a recibir tus correos.',
    yes: 'Sí, importarla como la suscripción',
    no: 'No, es otra cosa',
  },
  emptyFile: 'El archivo está vacío. Elige un archivo con una fila de encabezado y al menos un contacto.',
  start: 'Importar contactos',
  converted: 'Este archivo no está codificado en UTF-8. Se convertirá antes de subirlo.',
  mapping: {
    title: 'Columnas',
    lead: 'Elige cómo se importa cada columna. Las celdas vacías no cambian los valores existentes.',
    label: 'Columnas del archivo',
    column: { name: 'Columna', samples: 'Primeros valores', field: 'Importar como' },
    fieldOf: (column) => `Campo para ${column}`,
    nameOf: (column) => `Nombre del campo para ${column}`,
    typeOf: (column) => `Tipo de ${column}`,
    choices: {
      '': 'No importar',
      email: 'Dirección de correo',
      subscribed: 'Suscripción',
      data: 'Campo personalizado',
    },
    place: (position) => `Columna ${position}`,
    wordsOf: (column) => `Qué significan los valores de ${column}`,
    word: (word) => `«${word}» significa`,
    chooseMeaning: 'Elegir…',
    subscribed: 'Suscrito',
    unsubscribed: 'No suscrito',
    unclear: 'Elige qué significa cada valor de la columna de la suscripción.',
    namePlaceholder: 'Nombre del campo',
    types: { string: 'Texto', number: 'Número', boolean: 'Sí/no', date: 'Fecha' },
    problems: {
      'no-email': 'Elige la columna que contiene las direcciones de correo.',
      unnamed: (column) => `Introduce un nombre de campo para la columna «${column}».`,
      twice: (column) =>
        `La columna «${column}» se importa como el mismo campo que otra columna. Elige un campo distinto.`,
    },
  },
  effect: {
    title: 'Vista previa',
    label: 'Vista previa de la importación',
    lead: (rows) =>
      pickPlural(rows, {
        one: 'Lo que haría la importación con la fila del archivo.',
        other: `Lo que haría la importación con las ${formatNumber(rows)} filas del archivo.`,
      }),
    created: (count) =>
      pickPlural(count, {
        one: 'Se creará 1 contacto.',
        other: `Se crearán ${formatNumber(count)} contactos.`,
      }),
    updated: (count) =>
      pickPlural(count, {
        one: '1 fila actualizará un contacto existente.',
        other: `${formatNumber(count)} filas actualizarán contactos existentes.`,
      }),
    unchanged: (count) =>
      pickPlural(count, {
        one: '1 fila no cambia nada.',
        other: `${formatNumber(count)} filas no cambian nada.`,
      }),
    failed: (count) =>
      pickPlural(count, { one: 'Se omitirá 1 fila.', other: `Se omitirán ${formatNumber(count)} filas.` }),
    leftOut: (count) =>
      pickPlural(count, {
        one: '1 valor no corresponde a su tipo y se dejará fuera.',
        other: `${formatNumber(count)} valores no corresponden a su tipo y se dejarán fuera.`,
      }),
    problem: (row, problem) => `Fila ${formatNumber(row)}: ${problem}`,
    dotted: (name) =>
      `«${name}» se guarda como un solo nombre con un punto. En las plantillas, usa {{ data["${name}"] }}, porque {{ ${name} }} no lo encuentra.`,
    valueOf: (name, value) => `${name}: ${value}`,
    outcomes: { created: 'Nuevo', updated: 'Actualizado', unchanged: 'Sin cambios', failed: 'Omitido' },
    result: 'Resultado',
  },
  confirmations: {
    title: 'Confirmación',
    lead: 'Úsala si no puedes demostrar que las personas del archivo aceptaron recibir tus correos.',
    perHour: 'Correos por hora',
    rateProblem: (max) => `Introduce un número entero de 1 a ${formatNumber(max)}.`,
    note: 'Los contactos nuevos, y los existentes que no están suscritos, no reciben correos de marketing hasta que confirman. A los contactos que se dieron de baja o cuya dirección está suprimida no se les pregunta.',
    progress: 'Correos de confirmación',
    rate: (perHour) =>
      `Cada contacto recibe un correo con un enlace que confirma la suscripción, ${formatNumber(perHour)} por hora.`,
    nobody: 'No hay que preguntar a ningún contacto del archivo.',
    running: 'Enviando correos de confirmación',
    completed: 'Se ha preguntado a todos los contactos',
    asked: 'Preguntados',
    waiting: 'En espera',
    skipped: 'Sin preguntar',
    leave: 'Puedes salir de esta página: los correos se envían en segundo plano.',
  },
  running: 'Importando contactos',
  completed: 'Importación completada',
  failed: 'La importación falló.',
  viewContacts: 'Ver contactos',
  another: 'Importar otro archivo',
  rows: 'Filas',
  created: 'Creados',
  updated: 'Actualizados',
  unchanged: 'Sin cambios',
  failures: 'Omitidas',
  skippedTitle: 'Filas omitidas',
  skippedLead: 'Estas filas se omitieron. Todas las demás se importaron.',
  skippedSome: (shown, total) =>
    `Se muestran las primeras ${formatNumber(shown)} de ${formatNumber(total)} filas omitidas.`,
  leftOutTitle: 'Valores que se dejaron fuera',
  leftOutLead: (count) =>
    pickPlural(count, {
      one: '1 valor no corresponde al tipo de su columna. El resto de su fila se importó.',
      other: `${formatNumber(count)} valores no corresponden al tipo de su columna. El resto de sus filas se importó.`,
    }),
  column: { row: 'Fila', email: 'Correo', reason: 'Motivo' },
}
