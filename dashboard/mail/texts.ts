/** The texts of the checks of an email, of the postal address and of the image library. */

import { formatCount, formatNumber } from '../figures/format.ts'
import { translated } from '../languages/language.ts'

export const checkTexts = translated('check', {
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
    address: 'Postal address',
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
  variant: (name: string) => `Variant ${name}: `,
  showBlock: 'Show block',
  where: (field: string | undefined, line: number | undefined) => {
    if (line !== undefined) return `Line ${formatNumber(line)}.`
    return { subject: 'Found in the subject.', preheader: 'Found in the preheader.' }[field ?? ''] ?? ''
  },
})

export const addressTexts = translated('address', {
  title: 'Where is your postal address?',
  lead: 'Many countries require it in marketing emails. Enter it once for all emails of the project, or state that your emails contain it.',
  askAdmin:
    'Many countries require it in marketing emails. Ask an admin of the project to enter it under Settings, Branding.',
  address: 'Postal address',
  placeholder: 'Company, street, city, country',
  save: 'Show it in the footer',
  inContent: 'My emails contain it',
})

export const imageLibraryTexts = translated('library', {
  open: 'Choose from library',
  title: 'Image library',
  noMatch: 'No image matches.',
  size: (width: number, height: number) => `${formatNumber(width)} × ${formatNumber(height)}`,
  more: (shown: number) => `The newest ${formatNumber(shown)} are shown. Search to find others.`,
})
