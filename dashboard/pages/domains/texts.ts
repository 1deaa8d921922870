/** Texts of the domains page. */

import { formatCount, formatNumber } from '../../figures/format.ts'
import { translated } from '../../languages/language.ts'

/** How records are named in labels. */
const recordNames: Record<string, string> = { dkim: 'DKIM', ed25519: 'DKIM (Ed25519)', spf: 'SPF', dmarc: 'DMARC' }

const recordName = (purpose: string) => recordNames[purpose] ?? purpose

export const texts = translated('domains', {
  title: 'Domains',
  lead: 'You can only send from domains you have verified.',
  add: 'Add domain',
  emptyTitle: 'No domains yet',
  empty:
    'Add the domain you want to send from. Posthorn then shows the DNS records to create, and checks them automatically.',
  statuses: { VERIFIED: 'Verified', PENDING: 'Pending', FAILED: 'Failed' },
  lastChecked: (found: number, records: number) =>
    `${formatNumber(found)} of ${formatCount(records, { one: 'DNS record', other: 'DNS records' })} found, checked <time/>`,
  neverChecked: 'Not checked yet',
  captured:
    'A domain is therefore verified without looking at DNS: automatically within a few minutes, or at once when you choose “Check records”. Create the DNS records before you send real email.',
  check: 'Check records',
  verified: (domain: string) => `${domain} is verified.`,
  notVerified: 'Some records were not found. DNS changes can take a while to take effect. Check again later.',
  actionsOf: (domain: string) => `Actions for ${domain}`,
  remove: 'Remove domain',
  removeTitle: (domain: string) => `Remove ${domain}?`,
  removeEffect:
    'You won’t be able to send from this domain, and emails that are waiting to be sent from it will fail. Its DKIM key will be deleted, so you’ll need new DNS records if you add the domain again.',
  removed: 'Domain removed.',
  records: {
    label: (domain: string) => `DNS records for ${domain}`,
    column: { type: 'Type', record: 'Record', name: 'Name', value: 'Value', status: 'Status' },
    notChecked: (count: number, isVerified: boolean) =>
      `${formatCount(count, { one: 'DNS record', other: 'DNS records' })}, ${isVerified ? 'verified without DNS' : 'not checked'} in test mode`,
    show: 'Show records',
    hide: 'Hide records',
    found: 'Found',
    notFound: 'Not found',
    copyName: (purpose: string) => `Copy name of the ${recordName(purpose)} record`,
    copyValue: (purpose: string) => `Copy value of the ${recordName(purpose)} record`,
    priority: (priority: number) => `Priority ${formatNumber(priority)}`,
    purposes: {
      ownership: 'Proves that you own the domain',
      dkim: 'Signs your emails',
      ed25519: 'Also signs your emails, with an Ed25519 key',
      spf: 'Authorizes Posthorn to send for the domain',
      dmarc: 'Tells receiving servers how to handle forged emails',
      'return-path': 'Receives bounces',
    } as Record<string, string>,
  },
  ed25519: {
    add: 'Add Ed25519 key',
    addTitle: (domain: string) => `Add an Ed25519 key to ${domain}?`,
    addEffect:
      'Emails are then signed twice: with the RSA key, which every server can check, and with an Ed25519 key, which some prefer. Create the DNS record that is shown afterwards. The second signature is added when the record is found.',
    added: 'Ed25519 key added. Create its DNS record.',
    remove: 'Remove Ed25519 key',
    removeTitle: (domain: string) => `Remove the Ed25519 key of ${domain}?`,
    removeEffect:
      'Emails will be signed only with the RSA key. Keep the DNS record for a week, so that servers can check emails that are on their way. If you add a key again, it will need a new DNS record.',
    removed: 'Ed25519 key removed.',
  },
  warmUp: {
    set: 'Set up warm-up',
    change: 'Change warm-up',
    title: (domain: string) => `Warm-up of ${domain}`,
    label: (domain: string) => `Warm-up of ${domain}`,
    explanation:
      'Mailbox providers distrust a new domain that sends a lot at once. A warm-up limits its marketing email to a number that grows each day; the rest waits for the next day. Transactional email is never held back.',
    progress: (sent: number, limit: number) =>
      `Warm-up: ${formatNumber(sent)} of ${formatCount(limit, { one: 'marketing email', other: 'marketing emails' })} sent today`,
    startsOn: (day: string) => `The warm-up starts on ${day}. Until then, nothing is held back.`,
    lead: 'Marketing email beyond the number of the day waits for the next day, which begins at midnight UTC.',
    full: 'Today’s number is reached. Marketing email continues at midnight UTC.',
    plan: 'Marketing emails on the coming days',
    utc: 'Days begin at midnight UTC. Campaigns continue automatically.',
    startedOn: 'First day',
    perDay: 'Emails on the first day',
    growth: 'Growth factor a day',
    save: 'Save warm-up',
    saved: 'Warm-up saved.',
    end: 'End warm-up',
    ended: 'Warm-up ended. Waiting email is being sent.',
  },
  addDialog: {
    title: 'Add domain',
    lead: 'The part after the @ sign in your sender addresses.',
    domain: 'Domain',
    placeholder: 'example.com',
    added: 'Domain added.',
  },
})
