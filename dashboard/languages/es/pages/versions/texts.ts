/** Spanish texts of the version history of templates and campaigns. */
import { formatCount } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/versions/texts.ts'
import type { Translation } from '../../../translation.ts'

export const versions: Translation<typeof english.texts> = {
  title: 'Versiones',
  lead: 'Se guarda cada cambio del asunto, el preencabezado, el texto o el cuerpo. Selecciona una versión para compararla con la actual.',
  leadFirst:
    'Cada cambio del asunto, el preencabezado o el cuerpo se guarda como una versión. En cuanto haya dos, podrás compararlas y restaurarlas aquí.',
  list: 'Versiones, primero las más recientes',
  version: (number) => `Versión ${number}`,
  saved: '<version/>, guardada el <at/>',
  savedByApi: '<version/>, guardada el <at/> a través de la API',
  savedBy: '<version/>, guardada el <at/> por <who/>',
  current: 'Actual',
  key: 'A través de la API',
  system: 'Guardada antes de que se registraran versiones',
  formerMember: 'Antiguo miembro',
  compare: 'Comparación con la versión actual',
  from: (number, current) => `De la versión ${number} a la versión ${current} (actual)`,
  text: 'Texto',
  html: 'HTML',
  preview: (number) => `Vista previa de la versión ${number}`,
  subject: 'Asunto',
  preheader: 'Preencabezado',
  plainText: 'Texto sin formato',
  unchanged: 'Sin diferencias.',
  added: 'Solo en la versión actual:',
  removed: 'Solo en esta versión:',
  more: (count) => `Mostrar ${formatCount(count, { one: 'línea sin cambios', other: 'líneas sin cambios' })}`,
  name: 'Nombre de la versión (opcional)',
  namePlaceholder: 'Aprobada por el equipo jurídico',
  saveName: 'Guardar nombre',
  nameSaved: 'Nombre guardado.',
  restore: (number) => `Restaurar la versión ${number}`,
  restored: (number) => `Versión ${number} restaurada.`,
  restoreTitle: (number) => `¿Restaurar la versión ${number}?`,
  restoreEffect:
    'El asunto, el preencabezado y el cuerpo se reemplazan por los de esta versión. El contenido actual se conserva como una versión.',
  unsavedLost: 'Tus cambios sin guardar se perderán.',
}
