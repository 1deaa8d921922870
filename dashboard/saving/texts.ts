/** Texts for changes that two people make at the same time. */

import { formatList, formatNumber } from '../figures/format.ts'
import { translated } from '../languages/language.ts'

export const conflictTexts = translated('conflict', {
  title: 'Someone else saved this too',
  titleSelf: 'You saved this in another window too',
  savedBy: '<who/> saved it <when/>, after you had opened it.',
  savedBySelf: 'You saved it <when/>, after you had opened it here.',
  savedBySomeone: 'It was saved <when/>, after you had opened it.',
  both: (count: number) =>
    count === 1
      ? 'One field was changed there and here. Choose what to keep.'
      : `${formatNumber(count)} fields were changed there and here. Choose what to keep.`,
  taken: (fields: string[]) => `The other changes are kept as well: ${formatList(fields)}.`,
  theirs: 'Theirs',
  otherWindow: 'The other window',
  mine: 'Yours',
  thisWindow: 'This window',
  empty: '(empty)',
  keepEditing: 'Keep editing',
  useTheirs: 'Use theirs',
  useOther: 'Use the other',
  saveMine: 'Save mine over it',
  merge: 'Save what I chose',
  tookTheirs: 'What you see is what was saved. Your changes are gone.',
  mergedWith: (name: string | undefined, fields: string[]) =>
    `Your changes were saved together with those ${name ? `of ${name}` : 'that were saved before'}: ${formatList(fields)}.`,
})

export const editingTexts = translated('editing', {
  otherTab: 'You’re editing this in another tab too',
  others: (emails: string[]) =>
    emails.length === 1 ? `${emails[0]} is editing this too` : `${formatList(emails)} are editing this too`,
})
