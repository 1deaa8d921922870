/** Texts of the version history of templates and campaigns. */

import { formatCount } from '../../figures/format.ts'
import { translated } from '../../languages/language.ts'

export const texts = translated('versions', {
  title: 'Versions',
  lead: 'Every change to the subject, preheader, text or body is saved. Select a version to compare it with the current one.',
  leadFirst:
    'Every change to the subject, preheader or body is saved as a version. As soon as there are two, you can compare and restore them here.',
  list: 'Versions, newest first',
  version: (number: number) => `Version ${number}`,
  saved: '<version/>, saved <at/>',
  savedByApi: '<version/>, saved <at/> through the API',
  savedBy: '<version/>, saved <at/> by <who/>',
  current: 'Current',
  key: 'Through the API',
  system: 'Saved before versions were recorded',
  formerMember: 'Former member',
  compare: 'Comparison with the current version',
  from: (number: number, current: number) => `From version ${number} to version ${current} (current)`,
  text: 'Text',
  html: 'HTML',
  preview: (number: number) => `Preview of version ${number}`,
  subject: 'Subject',
  preheader: 'Preheader',
  plainText: 'Plain text',
  unchanged: 'No differences.',
  added: 'Only in the current version:',
  removed: 'Only in this version:',
  more: (count: number) => `Show ${formatCount(count, { one: 'unchanged line', other: 'unchanged lines' })}`,
  name: 'Version name (optional)',
  namePlaceholder: 'Approved by legal',
  saveName: 'Save name',
  nameSaved: 'Name saved.',
  restore: (number: number) => `Restore version ${number}`,
  restored: (number: number) => `Version ${number} restored.`,
  restoreTitle: (number: number) => `Restore version ${number}?`,
  restoreEffect:
    'The subject, preheader and body are replaced with those of this version. The current content is kept as a version.',
  unsavedLost: 'Your unsaved changes will be lost.',
})
