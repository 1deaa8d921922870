/**
 * Checks sender domains in DNS and at the mail provider, and records the result. In the background, one process at a
 * time checks a domain; a requested check can run at the same time, and the row's lock orders their results.
 */
import type { Context } from '../../../context.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { queryDns } from '../../../platform/network/dns.ts'
import { announceChange } from '../../record/journal/actions.ts'
import { domainLostNotice, domainVerifiedNotice, enqueueNotices } from '../../record/notices/actions.ts'
import { afterCheck, type CheckOutcome } from './check-state.ts'
import { type DnsRecord, dnsRecords, ED25519_RECORD } from './dns-records.ts'
import * as queries from './queries.ts'
import { checkRecord, type Presence } from './record-checks.ts'
import { factsOf, fetchProviderState, type ProviderState, sendingOf } from './sending.ts'

const DNS_WITHIN_MS = 6_000
const CLAIM_AT_ONCE = 40
const CHECKS_AT_ONCE = 8
/** The claim of a domain lasts longer than a check takes. */
const CLAIM_MS = 4 * 60_000
/** The rest is checked in the next round. */
const ROUND_MS = 4 * 60_000

interface Findings {
  outcome: CheckOutcome
  found: string[]
  /** Records whose lookup failed keep their previous result. */
  unknown: string[]
  providerDkimTokens: string[] | null
}

/** Checks one domain and records the result. Undefined if the domain was deleted in the meantime. */
export async function checkDomain(ctx: Context, domain: queries.DomainRow): Promise<queries.DomainRow | undefined> {
  const findings = await findRecords(ctx, domain)
  return transaction(ctx.db, async (tx) => {
    const row = await queries.lockDomain(tx, domain.project_id, domain.id)
    if (!row) return undefined
    const now = ctx.clock.now()
    const state = { status: row.status, failedChecks: row.failed_checks, pendingSince: row.pending_since }
    const next = afterCheck(state, findings.outcome, now)
    const kept = row.records_found.filter((key) => findings.unknown.includes(key))
    // The Ed25519 key may have been replaced since its record was looked up.
    const outdated = row.ed25519_selector === domain.ed25519_selector ? undefined : ED25519_RECORD
    const result = {
      ...next,
      recordsFound: [...findings.found, ...kept].filter((key) => key !== outdated),
      providerDkimTokens: findings.providerDkimTokens ?? row.provider_dkim_tokens,
    }
    // If emails can't leave the installation, nothing was proved, so nobody is notified.
    if (next.transition && sendingOf(ctx).by !== 'nobody') {
      const notice = next.transition === 'verified' ? domainVerifiedNotice : domainLostNotice
      const owners = await queries.findOwners(tx, row.project_id)
      const about = { domain: row.domain, baseUrl: ctx.baseUrl }
      await enqueueNotices(
        ctx,
        tx,
        owners.map((owner) => notice({ ...about, to: owner.email, project: owner.project_name })),
      )
    }
    if (next.transition) {
      const event = next.transition === 'verified' ? 'domain.verified' : 'domain.failed'
      await announceChange(tx, row.project_id, event, { domainId: row.id, domain: row.domain }, now)
    }
    return queries.recordCheck(tx, row, result, now)
  })
}

async function findRecords(ctx: Context, row: queries.DomainRow): Promise<Findings> {
  const sending = sendingOf(ctx)
  if (sending.by === 'nobody') {
    const found = dnsRecords(factsOf(row), sending).map((record) => record.key)
    return { outcome: 'proved', found, unknown: [], providerDkimTokens: null }
  }
  const provider = await fetchProviderState(ctx, row.domain)
  const tokens = provider.dkimTokens ?? row.provider_dkim_tokens
  const records = dnsRecords({ ...factsOf(row), providerDkimTokens: tokens }, sending)
  const presences = await checkRecords(ctx, records)
  const keysThatAre = (presence: Presence) => [...presences].filter(([, is]) => is === presence).map(([key]) => key)
  return {
    outcome: outcomeOf(presences, provider),
    found: keysThatAre('there'),
    unknown: keysThatAre('unknown'),
    providerDkimTokens: tokens,
  }
}

async function checkRecords(ctx: Context, records: DnsRecord[]): Promise<Map<string, Presence>> {
  const options = { servers: ctx.settings.DNS_SERVERS, withinMs: DNS_WITHIN_MS }
  const presences = await queryDns(options, (dns) => Promise.all(records.map((record) => checkRecord(dns, record))))
  return new Map(records.map((record, i) => [record.key, presences[i]!]))
}

/** Ownership, and permission to sign: our key in DNS, or the provider's confirmation. */
function outcomeOf(presences: Map<string, Presence>, provider: ProviderState): CheckOutcome {
  const required = [presences.get('ownership'), provider.signs ?? presences.get('dkim')]
  if (required.includes('missing')) return 'missing'
  return required.every((presence) => presence === 'there') ? 'proved' : 'unknown'
}

/**
 * Checks due domains, a few at a time. An internal error in one doesn't affect the others, and that domain is due again
 * later.
 */
export async function recheckDomains(ctx: Context): Promise<void> {
  const endsAt = performance.now() + ROUND_MS
  for (;;) {
    const now = ctx.clock.now()
    const due = await queries.claimDueDomains(ctx.db, CLAIM_AT_ONCE, now, new Date(now.getTime() + CLAIM_MS))
    const claimed = due.length
    await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, () => checkAll(ctx, due)))
    if (claimed < CLAIM_AT_ONCE || performance.now() > endsAt) return
  }
}

/** Several of these share one list. */
async function checkAll(ctx: Context, due: queries.DomainRow[]): Promise<void> {
  for (let domain = due.shift(); domain; domain = due.shift()) {
    try {
      await checkDomain(ctx, domain)
    } catch (error) {
      ctx.log.error({ err: error, domainId: domain.id }, 'a domain could not be checked')
    }
  }
}
