/**
 * Records when keys were last used: at most once a minute for each key, and without delaying the request. The uses of
 * many keys share a statement.
 */
import type { Context } from '../../../context.ts'
import { createBatcher } from '../../../kernel/flow/waiting.ts'
import { shortenAddress } from '../../../platform/network/address-ranges.ts'
import * as queries from './queries.ts'

const MINUTE_MS = 60_000

export type KeyUses = ReturnType<typeof createKeyUses>

export function createKeyUses(ctx: Context) {
  const ofProjectKeys = oncePerMinute<Buffer>(ctx, (hashes, now) => queries.recordProjectKeyUses(ctx.db, hashes, now))
  const ofApiKeys = oncePerMinute<{ projectId: string; keyId: string; address: string }>(ctx, (uses, now) => {
    const shortened = uses.map(({ address, ...use }) => ({ ...use, ip: shortenAddress(address) }))
    return queries.recordApiKeyUses(ctx.db, shortened, now)
  })
  return {
    recordProjectKey: (hash: Buffer): void => ofProjectKeys(hash.toString('base64'), hash),
    recordApiKey: (projectId: string, keyId: string, address: string): void =>
      ofApiKeys(keyId, { projectId, keyId, address }),
  }
}

function oncePerMinute<Use>(ctx: Context, write: (uses: Use[], now: Date) => Promise<void>) {
  let minute = 0
  let recorded = new Set<string>()
  const record = createBatcher(
    async (uses: Use[]) => {
      await write(uses, ctx.clock.now())
      return uses
    },
    { batchMax: 1_000, concurrency: 1 },
  )
  return (key: string, use: Use): void => {
    const now = Math.floor(ctx.clock.now().getTime() / MINUTE_MS)
    if (now !== minute) recorded = new Set()
    minute = now
    if (recorded.has(key)) return
    recorded.add(key)
    record(use).catch((error: unknown) => ctx.log.debug({ err: error }, 'the use of a key could not be recorded'))
  }
}
