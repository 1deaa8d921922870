/** The French question what new times of steps mean for the contacts who wait there. */

import { formatCount, pickPlural } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/workflows/steps/wait-texts.ts'
import type { Translation } from '../../../../translation.ts'

export const wait: Translation<typeof english.waitTexts> = {
  title: (contacts) =>
    formatCount(contacts, {
      one: 'contact attend à une étape que vous avez modifiée',
      other: 'contacts attendent à des étapes que vous avez modifiées',
    }),
  lead: (steps) =>
    `Vous avez modifié la durée d’attente de ${pickPlural(steps, { one: 'cette étape', other: 'ces étapes' })}. Choisissez ce que cela change pour les contacts qui y attendent actuellement.`,
  choice: 'Contacts actuellement en attente',
  keep: { title: 'Garder leur délai', hint: 'Ils continuent au moment prévu avant cette modification.' },
  apply: {
    title: 'Appliquer le nouveau délai',
    hint: 'Leur attente est recalculée à partir de leur arrivée à l’étape. Si elle est déjà écoulée, ils continuent immédiatement.',
  },
  cancel: 'Ne pas encore publier',
}
