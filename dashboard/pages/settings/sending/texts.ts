/** Texts of the settings about marketing email. */

import { formatCount } from '../../../figures/format.ts'
import { translated } from '../../../languages/language.ts'

export const sendingTexts = translated('sending', {
  sending: {
    on: (title: string) => `Use ${/^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title}`,
    save: 'Save',
    saved: (title: string) => `${title} saved.`,
    sunset: {
      counting: 'Counting contacts…',
      stops: (count: number) =>
        count === 0
          ? 'This rule would stop marketing email to no contact now.'
          : `This rule would stop marketing email to <strong>${formatCount(count, { one: 'contact', other: 'contacts' })}</strong> now.`,
      tooLong:
        'Counting the contacts that this rule would stop takes too long. Each one is still judged before an email is sent.',
      advice: 'Before you turn it on, ask them with the template <link>Do you want to stay?</link>',
    },
    settings: {
      quietHours: {
        title: 'Quiet hours',
        lead: 'Marketing email waits until these hours are over. Transactional email doesn’t.',
        fields: { from: 'From', to: 'To', timezone: 'Time zone' },
      },
      frequencyCap: {
        title: 'Frequency cap',
        lead: 'A contact receives no more marketing emails than this. Further ones are skipped, and the campaign shows how many.',
        fields: { emails: 'Emails', days: 'Days' },
      },
      sunset: {
        title: 'Sunset rule',
        lead: 'Contacts who open and click nothing receive no more marketing email. They stay subscribed, and opening or clicking an earlier email, or turning the rule off, ends it.',
        fields: { emails: 'Emails without an open or click', days: 'Within this many days' },
      },
      sendGuard: {
        title: 'Send guard',
        lead: 'Pauses a campaign when too many of its emails bounce or are reported as spam, and notifies owners and admins.',
        fields: {
          bounceRate: 'Bounces, percent',
          complaintRate: 'Spam reports, percent',
          minimum: 'Emails before it is judged',
        },
      },
      softBounces: {
        title: 'Soft bounce limit',
        lead: 'Suppresses an address after temporary failures in a row, such as a mailbox that stays full.',
        fields: { count: 'Bounces in a row', days: 'Over at least this many days' },
      },
      utm: {
        title: 'UTM parameters',
        lead: 'Added to the links of marketing email that have none, so that your web analytics show where visitors come from. You can use variables, such as {{ campaign.name }}.',
        fields: { source: 'Source', medium: 'Medium', campaign: 'Campaign' },
      },
      conversion: {
        title: 'Conversion tracking',
        lead: 'An event that you track, such as a purchase, counts for the email that the contact clicked last. “value” and “currency” in its data are added up as revenue.',
        fields: { event: 'Event', days: 'Days after the click' },
      },
      archive: {
        title: 'Public archive',
        lead: 'A public page with the campaigns that you make public, and an Atom feed of them.',
        fields: { slug: 'Name in the address', title: 'Title' },
      },
    },
  },
})
