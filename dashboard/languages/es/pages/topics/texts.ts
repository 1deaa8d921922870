/** Spanish texts of the topics page. */
import type * as english from '../../../../pages/topics/texts.ts'
import type { Translation } from '../../../translation.ts'

export const topics: Translation<typeof english.texts> = {
  title: 'Temas',
  lead: 'Lo que los contactos pueden elegir recibir. Una plantilla o campaña con un tema solo se envía a los contactos suscritos a él.',
  add: 'Crear tema',
  column: { name: 'Tema', key: 'Clave', subscribers: 'Suscriptores' },
  optIn: 'Alta expresa',
  hidden: 'Fuera de la página de preferencias',
  moveUp: (name) => `Subir ${name}`,
  moveDown: (name) => `Bajar ${name}`,
  edit: (name) => `Editar ${name}`,
  emptyTitle: 'Aún no hay temas',
  empty:
    'Los temas son los tipos de correo que envías, como «Novedades» u «Ofertas». Los contactos los eligen en su página de preferencias, de modo que quien no quiere un tipo sigue suscrito a los demás.',
  noMatchTitle: 'Ningún tema coincide',
  noMatch: 'Prueba con otra búsqueda.',
  removeLabel: (name) => `Eliminar ${name}`,
  removeTitle: '¿Eliminar este tema?',
  removeAction: 'Eliminar tema',
  removeEffect: (name) =>
    `Se eliminan «${name}» y lo que los contactos eligieron al respecto. Esta acción no se puede deshacer.`,
  removed: 'Tema eliminado.',
  editor: {
    createTitle: 'Crear tema',
    editTitle: 'Editar tema',
    name: 'Nombre',
    key: 'Clave',
    keyHint: 'Identifica el tema en la API. Letras minúsculas, cifras y guiones. No se puede cambiar después.',
    description: 'Descripción',
    descriptionHint: 'Se muestra en la página de preferencias.',
    defaultSubscribed: 'Los contactos suscritos lo reciben hasta que se den de baja de él',
    defaultHint: 'De lo contrario, solo lo reciben los contactos que se suscriben a él expresamente.',
    isPublic: 'Mostrarlo en la página de preferencias',
    create: 'Crear tema',
    save: 'Guardar tema',
    created: 'Tema creado.',
    saved: 'Tema guardado.',
  },
}
