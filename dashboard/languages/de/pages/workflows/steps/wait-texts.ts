/** German texts of the question what new times of steps mean for the contacts who wait there. */

import { formatNumber } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/workflows/steps/wait-texts.ts'
import type { Translation } from '../../../../translation.ts'

export const wait: Translation<typeof english.waitTexts> = {
  title: (contacts) =>
    contacts === 1
      ? '1 Kontakt wartet bei einem Schritt, den Sie geändert haben'
      : `${formatNumber(contacts)} Kontakte warten bei Schritten, die Sie geändert haben`,
  lead: (steps) =>
    `Sie haben geändert, wie lange ${steps === 1 ? 'dieser Schritt wartet' : 'diese Schritte warten'}. Wählen Sie, was das für Kontakte bedeutet, die dort jetzt warten.`,
  choice: 'Kontakte, die jetzt warten',
  keep: {
    title: 'Bisherige Zeit behalten',
    hint: 'Sie fahren zu dem Zeitpunkt fort, der vor dieser Änderung galt.',
  },
  apply: {
    title: 'Neue Zeit anwenden',
    hint: 'Ihre Wartezeit wird ab dem Erreichen des Schritts neu berechnet. Ist sie schon vorbei, fahren sie sofort fort.',
  },
  cancel: 'Noch nicht veröffentlichen',
}
