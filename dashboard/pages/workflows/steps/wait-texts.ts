/** The question what new times of steps mean for the contacts who wait there. */

import { formatNumber } from '../../../figures/format.ts'
import { translated } from '../../../languages/language.ts'

export const waitTexts = translated('wait', {
  title: (contacts: number) =>
    contacts === 1
      ? '1 contact waits at a step you changed'
      : `${formatNumber(contacts)} contacts wait at steps you changed`,
  lead: (steps: number) =>
    `You changed how long ${steps === 1 ? 'this step waits' : 'these steps wait'}. Choose what that means for contacts who wait there now.`,
  choice: 'Contacts who wait now',
  keep: { title: 'Keep their time', hint: 'They continue when they would have continued before this change.' },
  apply: {
    title: 'Apply the new time',
    hint: 'Their wait is calculated again, from when they reached the step. If it is already over, they continue immediately.',
  },
  cancel: 'Don’t publish yet',
})
