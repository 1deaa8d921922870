/**
 * Checks of sender domains: what is in the DNS, what the mail provider says, and what follows. One check of a domain at
 * a time over all processes in the background; a check that someone asks for may run beside it, and the row's lock
 * keeps their outcomes in order.
 */
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { askDns } from '../../platform/network/dns.ts'
import { domainLostNotice, domainVerifiedNotice, enqueueNotices } from '../notices/actions.ts'
import { afterCheck, type CheckOutcome } from './check-state.ts'
import { type DnsRecord, dnsRecords } from './dns-records.ts'
import * as queries from './queries.ts'
import { lookFor, type Presence } from './record-checks.ts'
import { askProvider, factsOf, type ProviderSays, sendingOf } from './sending.ts'

const DNS_WITHIN_MS = 6_000
const CLAIM_AT_ONCE = 40
const CHECKS_AT_ONCE = 8
/** Whoever takes a domain has told the outcome by then. */
const CLAIM_MS = 4 * 60_000
/** The next round takes over. */
const ROUND_MS = 4 * 60_000

interface Findings {
  outcome: CheckOutcome
  found: string[]
  /** Records nobody can say anything about now: they stay as they were. */
  unknown: string[]
  providerDkimTokens: string[] | null
}

/** Checks one domain and records what was found. Nothing when the domain is gone meanwhile. */
export async function checkDomain(ctx: Context, domain: queries.DomainRow): Promise<queries.DomainRow | undefined> {
  const findings = await findOut(ctx, domain)
  return transaction(ctx.db, async (tx) => {
    const row = await queries.lockDomain(tx, domain.project_id, domain.id)
    if (!row) return undefined
    const now = ctx.clock.now()
    const state = { status: row.status, failedChecks: row.failed_checks, pendingSince: row.pending_since }
    const next = afterCheck(state, findings.outcome, now)
    const kept = row.records_found.filter((key) => findings.unknown.includes(key))
    const result = {
      ...next,
      recordsFound: [...findings.found, ...kept],
      providerDkimTokens: findings.providerDkimTokens ?? row.provider_dkim_tokens,
    }
    // Where nothing can reach anyone, nothing was proved, so it is no news.
    if (next.news && sendingOf(ctx).by !== 'nobody') {
      const notice = next.news === 'verified' ? domainVerifiedNotice : domainLostNotice
      const owners = await queries.findOwners(tx, row.project_id)
      const about = { domain: row.domain, baseUrl: ctx.baseUrl }
      await enqueueNotices(
        ctx,
        tx,
        owners.map((owner) => notice({ ...about, to: owner.email, project: owner.project_name })),
      )
    }
    return queries.recordCheck(tx, row, result, now)
  })
}

async function findOut(ctx: Context, row: queries.DomainRow): Promise<Findings> {
  const sending = sendingOf(ctx)
  if (sending.by === 'nobody') {
    const found = dnsRecords(factsOf(row), sending).map((record) => record.key)
    return { outcome: 'proved', found, unknown: [], providerDkimTokens: null }
  }
  const provider = await askProvider(ctx, row.domain)
  const tokens = provider.dkimTokens ?? row.provider_dkim_tokens
  const records = dnsRecords({ ...factsOf(row), providerDkimTokens: tokens }, sending)
  const presences = await lookForAll(ctx, records)
  const keysThatAre = (presence: Presence) => [...presences].filter(([, is]) => is === presence).map(([key]) => key)
  return {
    outcome: outcomeOf(presences, provider),
    found: keysThatAre('there'),
    unknown: keysThatAre('unknown'),
    providerDkimTokens: tokens,
  }
}

async function lookForAll(ctx: Context, records: DnsRecord[]): Promise<Map<string, Presence>> {
  const options = { servers: ctx.settings.DNS_SERVERS, withinMs: DNS_WITHIN_MS }
  const presences = await askDns(options, (dns) => Promise.all(records.map((record) => lookFor(dns, record))))
  return new Map(records.map((record, i) => [record.key, presences[i]!]))
}

/** The owner's proof, and the right to sign: our own key in the DNS, or the provider's word. */
function outcomeOf(presences: Map<string, Presence>, provider: ProviderSays): CheckOutcome {
  const required = [presences.get('ownership'), provider.signs ?? presences.get('dkim')]
  if (required.includes('missing')) return 'missing'
  return required.every((presence) => presence === 'there') ? 'proved' : 'unknown'
}

/** Checks what is due, a few at a time. One that fails by a fault of ours leaves the others alone and is due again later. */
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
