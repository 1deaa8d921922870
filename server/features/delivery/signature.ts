/** The DKIM signature of an email, with the key of its sender's domain. Decrypted keys are kept for a while. */
import { createPrivateKey } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { Context } from '../../context.ts'
import { domainOf } from '../../kernel/email-address.ts'
import type { DkimKey } from '../../platform/mail/dkim.ts'
import { PRIORITY } from '../../platform/queue/catalogue.ts'
import { findDkimKey } from './queries.ts'

const KEYS_LAST_MS = 30_000
const KEYS_MAX = 1_000

interface SignedEmail {
  project_id: string
  from_email: string
  created_at: Date
}

interface KnownKey {
  key: Promise<DkimKey | undefined>
  until: number
}

export type Signatures = ReturnType<typeof createSignatures>

export function createSignatures(ctx: Context) {
  const keys = new Map<string, KnownKey>()

  function keyOf({ project_id, from_email }: SignedEmail): Promise<DkimKey | undefined> {
    const domain = domainToASCII(domainOf(from_email))
    const name = `${project_id} ${domain}`
    const known = keys.get(name)
    const now = performance.now()
    if (known && known.until > now) return known.key
    if (keys.size >= KEYS_MAX) keys.clear()
    const key = readKey(ctx, project_id, domain)
    keys.set(name, { key, until: now + KEYS_LAST_MS })
    key.catch(() => keys.delete(name))
    return key
  }

  return {
    /** The message with its signature in front; unchanged if the domain has no key. */
    async sign(email: SignedEmail, raw: Buffer, priority: number = PRIORITY.transactional): Promise<Buffer> {
      const key = await keyOf(email)
      if (!key) return raw
      const signature = await ctx.signer.sign(raw, key, email.created_at, priority)
      return Buffer.concat([Buffer.from(signature, 'latin1'), raw])
    },
  }
}

async function readKey(ctx: Context, projectId: string, domain: string): Promise<DkimKey | undefined> {
  const row = await findDkimKey(ctx.db, projectId, domain)
  return row && { domain, selector: row.selector, privateKey: createPrivateKey(ctx.secrets.decrypt(row.sealed)) }
}
