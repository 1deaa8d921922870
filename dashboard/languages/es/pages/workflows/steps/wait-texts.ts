/** Spanish texts of the question what new times of steps mean for the contacts who wait there. */
import { formatNumber } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/workflows/steps/wait-texts.ts'
import type { Translation } from '../../../../translation.ts'

export const wait: Translation<typeof english.waitTexts> = {
  title: (contacts) =>
    contacts === 1
      ? '1 contacto espera en un paso que cambiaste'
      : `${formatNumber(contacts)} contactos esperan en pasos que cambiaste`,
  lead: (steps) =>
    `Cambiaste cuánto dura la espera en ${steps === 1 ? 'este paso' : 'estos pasos'}. Elige qué significa eso para los contactos que esperan ahora.`,
  choice: 'Contactos que esperan ahora',
  keep: { title: 'Mantener su tiempo', hint: 'Continúan cuando habrían continuado antes de este cambio.' },
  apply: {
    title: 'Aplicar el tiempo nuevo',
    hint: 'Su espera se vuelve a calcular desde que llegaron al paso. Si ya ha terminado, continúan de inmediato.',
  },
  cancel: 'No publicar todavía',
}
