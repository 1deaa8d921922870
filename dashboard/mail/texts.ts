/** The texts of the checks of an email. */
import { formatCount, formatNumber } from '../figures/format.ts'

export const checkTexts = {
  title: 'Checks',
  running: 'Checking…',
  notWritten: 'Write a subject to check the links, images, text and HTML of this email.',
  failed: 'Checks failed',
  none: 'No problems found',
  passed: 'Passed checks',
  allPassed: 'All checks passed.',
  areas: {
    subject: 'Subject',
    preheader: 'Preheader',
    links: 'Links',
    images: 'Images and their alt text',
    wording: 'Text and wording',
    variables: 'Variables',
    unsubscribe: 'Unsubscribe link',
    contrast: 'Text contrast',
    clients: 'Email client support',
    size: 'Email size',
  },
  counts: {
    error: (count: number) => formatCount(count, { one: 'error', other: 'errors' }),
    warning: (count: number) => formatCount(count, { one: 'warning', other: 'warnings' }),
    info: (count: number) => formatCount(count, { one: 'note', other: 'notes' }),
  },
  severities: { error: 'Error', warning: 'Warning', info: 'Note' },
  sample: (contacts: number) => `Based on a sample of ${formatNumber(contacts)} recipients.`,
  showBlock: 'Show block',
  where: (field: string | undefined, line: number | undefined) => {
    if (line !== undefined) return `Line ${formatNumber(line)}.`
    return { subject: 'Found in the subject.', preheader: 'Found in the preheader.' }[field ?? ''] ?? ''
  },
}
