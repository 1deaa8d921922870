/** Texts of the domains page. */
import { formatNumber } from '../../parts/format.ts'

/** How records are named in labels. */
const recordNames: Record<string, string> = { dkim: 'DKIM', spf: 'SPF', dmarc: 'DMARC' }

const recordName = (purpose: string) => recordNames[purpose] ?? purpose

export const texts = {
  title: 'Domains',
  lead: 'You can only send from domains you have verified.',
  add: 'Add domain',
  emptyTitle: 'No domains yet',
  empty:
    'Add the domain you want to send from. Then create the DNS records shown here at your DNS provider. Posthorn checks them automatically.',
  statuses: { VERIFIED: 'Verified', PENDING: 'Pending', FAILED: 'Failed' },
  lastChecked: 'Checked <time/>',
  neverChecked: 'Not checked yet',
  captured:
    'This installation captures emails instead of sending them, so domains are verified without checking DNS. Create these records before you send real email.',
  capturedPending:
    'This installation captures emails instead of sending them. “Check records” verifies this domain without checking DNS. Create these records before you send real email.',
  check: 'Check records',
  verified: (domain: string) => `${domain} is verified.`,
  notVerified: 'Some records were not found. DNS changes can take a while to take effect. Check again later.',
  remove: 'Remove domain',
  removeTitle: (domain: string) => `Remove ${domain}?`,
  removeEffect:
    'You won’t be able to send from this domain. Its DKIM key will be deleted, so you’ll need new DNS records if you add the domain again.',
  removed: 'Domain removed.',
  records: {
    label: (domain: string) => `DNS records for ${domain}`,
    column: { type: 'Type', name: 'Name', value: 'Value', status: 'Status' },
    found: 'Found',
    notFound: 'Not found',
    notChecked: 'Not checked',
    copyName: (purpose: string) => `Copy name of the ${recordName(purpose)} record`,
    copyValue: (purpose: string) => `Copy value of the ${recordName(purpose)} record`,
    priority: (priority: number) => `Priority ${formatNumber(priority)}`,
    purposes: {
      ownership: 'Proves that you own the domain',
      dkim: 'Signs your emails',
      spf: 'Authorizes Posthorn to send for the domain',
      dmarc: 'Tells receiving servers how to handle forged emails',
      'return-path': 'Receives bounces',
    } as Record<string, string>,
  },
  addDialog: {
    title: 'Add domain',
    lead: 'The part after the @ sign in your sender addresses.',
    domain: 'Domain',
    placeholder: 'example.com',
    added: 'Domain added.',
  },
}
