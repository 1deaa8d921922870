/** The pages for recipients in English. */
import type { PageTexts } from './types.ts'

export const en: PageTexts = {
  unsubscribe: {
    title: 'Unsubscribe from {project}?',
    text: '{email} will no longer receive newsletters or offers from {project}.',
    button: 'Unsubscribe',
  },
  unsubscribed: {
    title: 'You’re unsubscribed',
    text: '{email} will no longer receive newsletters or offers from {project}.',
    back: 'Subscribe again',
  },
  subscribe: {
    title: 'Subscribe to {project}?',
    text: '{email} will receive newsletters and offers from {project}. You can unsubscribe at any time.',
    button: 'Subscribe',
  },
  subscribed: {
    title: 'You’re subscribed',
    text: '{email} receives newsletters and offers from {project}. You can unsubscribe at any time.',
  },
  manage: {
    title: 'Email preferences',
    question: 'Which emails from {project} should {email} receive?',
    never: 'You’re not subscribed',
    save: 'Save',
    saved: 'Your preferences have been saved.',
  },
  all: { name: 'All emails', description: 'Including newsletters and offers' },
  necessary: { name: 'Essential emails only', description: 'Such as receipts and password resets' },
  gone: {
    title: 'This address is no longer on file',
    text: 'The data behind this link has been deleted, so there are no preferences to change.',
  },
  unknown: {
    title: 'This link doesn’t work',
    text: 'It may be incomplete. Open the email again and click the link in it. If it still doesn’t work, reply to the email.',
  },
  emailGone: {
    title: 'This email is no longer available',
    text: 'Emails can be viewed in the browser for a limited time.',
  },
  emailErased: {
    title: 'This email has been deleted',
    text: 'Its content was deleted together with the recipient’s data.',
  },
  topic: {
    unsubscribe: {
      title: 'Unsubscribe from “{topic}”?',
      text: '{email} will no longer receive “{topic}” from {project}.',
    },
    unsubscribed: {
      title: 'You’re unsubscribed from “{topic}”',
      text: '{email} will no longer receive “{topic}” from {project}.',
    },
    subscribe: {
      title: 'Subscribe to “{topic}”?',
      text: '{email} will receive “{topic}” from {project}. You can unsubscribe at any time.',
    },
    subscribed: {
      title: 'You’re subscribed to “{topic}”',
      text: '{email} receives “{topic}” from {project}. You can unsubscribe at any time.',
    },
    everything: 'Unsubscribe from everything',
    topics: 'Topics',
    pause: {
      title: 'Take a break',
      text: 'You stay subscribed, but receive no newsletters or offers until the pause ends.',
      button: 'Pause for {days} days',
      paused: 'Paused until {date}',
      resume: 'Resume now',
    },
  },
  settings: {
    title: 'Language and time zone',
    language: 'Language',
    timezone: 'Time zone',
    unset: 'Not specified',
    download: {
      title: 'Your data',
      text: 'Download what {project} stores about {email} as a file.',
      button: 'Download data',
    },
  },
}
