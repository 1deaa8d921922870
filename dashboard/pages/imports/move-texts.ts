/** Texts of the page that moves contacts from another service. */

import { pickPlural } from '../../figures/format.ts'
import { translated } from '../../languages/language.ts'
import { sharedTexts } from '../../shell/texts.ts'

export const moveTexts = translated('move', {
  title: 'Move from another service',
  lead: 'Bring contacts with their data, opt-outs, topics and templates. People who opted out stay opted out.',
  back: 'Import contacts',
  service: 'Service',
  files: 'Files of the export',
  filesOf: (what: string) => `${what}. The files are read in your browser, so they can have any size.`,
  choose: 'Choose files',
  chosen: (names: string[]) => names.join(', '),
  none: 'No files chosen yet.',
  subscribe: 'Subscribe people whose export has no state of their subscription',
  subscribeHint: 'Only if all of them agreed to receive your emails. People who opted out are never subscribed.',
  from: 'Sender of templates',
  fromHint: 'For templates and campaigns that have none.',
  check: 'Preview changes',
  checking: (contacts: number) => `Reading the export… ${sharedTexts.contacts(contacts)} so far.`,
  moving: (contacts: number) => `Moving… ${sharedTexts.contacts(contacts)} so far. Keep this page open.`,
  preview: 'Preview',
  previewLead: 'Nothing has been changed yet.',
  start: 'Move contacts',
  confirmTitle: (contacts: number) => `Move ${sharedTexts.contacts(contacts)}?`,
  confirm: 'Opt-outs and suppressions are written first. Existing contacts keep values that the export doesn’t have.',
  completed: 'Move completed',
  completedLead: 'You can repeat it at any time: what is here already stays unchanged.',
  problems: (count: number) => pickPlural(count, { one: '1 problem', other: `${count} problems` }),
  problemsLead: 'These entries were not moved. All others were.',
  problem: { place: 'Place', entry: 'Entry', reason: 'Reason' },
  placeOf: (file: string, line: number | undefined) => (line === undefined ? file : `${file}, line ${line}`),
  link: 'Move from another service',
})
