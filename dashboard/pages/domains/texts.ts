/** Texts of the domains page. */
import { formatNumber } from '../../parts/format.ts'

export const texts = {
  title: 'Domains',
  lead: 'You can only send from domains you have verified.',
  add: 'Add domain',
  emptyTitle: 'No domains yet',
  empty:
    'Add the domain you want to send from. You get a few DNS records to create at your DNS provider, and Posthorn checks them automatically.',
  statuses: { VERIFIED: 'Verified', PENDING: 'Pending', FAILED: 'Failed' },
  lastChecked: 'Checked <time/>',
  neverChecked: 'Not checked yet',
  check: 'Check records',
  verified: (domain: string) => `${domain} is verified.`,
  notVerified: 'Some records were not found. DNS changes can take a while to become visible.',
  remove: 'Remove domain',
  removeTitle: (domain: string) => `Remove ${domain}?`,
  removeEffect:
    'You can no longer send from this domain. Its DKIM key is deleted; adding the domain again creates a new key and requires new DNS records.',
  removed: 'Domain removed.',
  records: {
    label: (domain: string) => `DNS records for ${domain}`,
    column: { type: 'Type', name: 'Name', value: 'Value', status: 'Status' },
    found: 'Found',
    notFound: 'Not found',
    copyName: (purpose: string) => `Copy name of the ${purpose} record`,
    copyValue: (purpose: string) => `Copy value of the ${purpose} record`,
    priority: (priority: number) => `Priority ${formatNumber(priority)}`,
    purposes: {
      ownership: 'Proves that you own the domain',
      dkim: 'Signs your emails',
      spf: 'Authorizes Posthorn to send for the domain',
      dmarc: 'Tells receivers how to handle forged emails',
      'return-path': 'Receives bounces',
    } as Record<string, string>,
  },
  addDialog: {
    title: 'Add domain',
    lead: 'The part of your sender addresses after the @ sign.',
    domain: 'Domain',
    placeholder: 'example.com',
    added: 'Domain added. Create its DNS records next.',
  },
}
