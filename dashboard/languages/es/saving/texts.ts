/** Spanish texts for changes that two people make at the same time. */
import { formatList, formatNumber } from '../../../figures/format.ts'
import type * as english from '../../../saving/texts.ts'
import type { Translation } from '../../translation.ts'

export const conflict: Translation<typeof english.conflictTexts> = {
  title: 'Otra persona también guardó esto',
  titleSelf: 'También guardaste esto en otra ventana',
  savedBy: '<who/> lo guardó <when/>, después de que lo abrieras.',
  savedBySelf: 'Lo guardaste <when/>, después de abrirlo aquí.',
  savedBySomeone: 'Se guardó <when/>, después de que lo abrieras.',
  both: (count) =>
    count === 1
      ? 'Un campo se cambió allí y aquí. Elige qué conservar.'
      : `${formatNumber(count)} campos se cambiaron allí y aquí. Elige qué conservar.`,
  taken: (fields) => `Los demás cambios también se conservan: ${formatList(fields)}.`,
  theirs: 'La otra persona',
  otherWindow: 'La otra ventana',
  mine: 'Tú',
  thisWindow: 'Esta ventana',
  empty: '(vacío)',
  keepEditing: 'Seguir editando',
  useTheirs: 'Usar su versión',
  useOther: 'Usar la otra',
  saveMine: 'Guardar mi versión',
  merge: 'Guardar lo elegido',
  tookTheirs: 'Lo que ves es lo que se guardó. Tus cambios se descartaron.',
  mergedWith: (name, fields) =>
    `Tus cambios se guardaron junto con los ${name ? `de ${name}` : 'que ya estaban guardados'}: ${formatList(fields)}.`,
}

export const editing: Translation<typeof english.editingTexts> = {
  otherTab: 'También estás editando esto en otra pestaña',
  others: (emails) =>
    emails.length === 1
      ? `${emails[0]} también está editando esto`
      : `${formatList(emails)} también están editando esto`,
}
