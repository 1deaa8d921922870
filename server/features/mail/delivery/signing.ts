/** The signatures of an email: that of the message, and that in the address to which failed deliveries are reported. */
import { createPrivateKey, timingSafeEqual } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { base32nopad } from '@scure/base'
import type { Context } from '../../../context.ts'
import { domainOf, senderDomain } from '../../../kernel/email-address.ts'
import { withSpan } from '../../../kernel/tracing.ts'
import type { DkimKey } from '../../../platform/mime/dkim.ts'
import { PRIORITY } from '../../../platform/queue/catalogue.ts'
import { findDkimKey } from './queries.ts'

const PURPOSE = 'return-path'
const PREFIX = 'b-'
const UUID_BYTES = 16
/** 48 bits: the maximum that fits into a local part of 64 characters with two ids. */
const TAG_BYTES = 6
/** In base32, because servers change the case of local parts. Its last character has only four bits. */
const TOKEN = /^b-([a-z2-7]{60}[acegikmoqsuwy246])@bounces\.[^@]+$/i

type SigningContext = Pick<Context, 'secrets'>

/** Otherwise the reports would not be received. */
const receivesMail = ({ settings }: Pick<Context, 'settings'>) => settings.INBOUND_SMTP_PORT > 0

/**
 * The envelope sender, to which other servers report failed deliveries. If we receive email ourselves, it contains the
 * signed id of the email, so that a report is matched whatever it quotes; otherwise it is the sender's address.
 */
export function returnPathOf(
  ctx: SigningContext & Pick<Context, 'settings'>,
  email: { id: string; project_id: string; from_email: string },
  receivesReports = receivesMail(ctx),
): string {
  if (!receivesReports) return email.from_email
  const ids = Buffer.concat([bytesOf(email.project_id), bytesOf(email.id)])
  const token = base32nopad.encode(Buffer.concat([ids, tagsOf(ctx, ids)[0]!])).toLowerCase()
  return `${PREFIX}${token}@bounces.${domainToASCII(domainOf(email.from_email))}`
}

/** The email of a return path; undefined for any other address. */
export function emailOfReturnPath(
  ctx: SigningContext,
  address: string,
): { projectId: string; emailId: string } | undefined {
  const token = TOKEN.exec(address.trim())?.[1]
  if (!token) return undefined
  const bytes = Buffer.from(base32nopad.decode(token.toUpperCase()))
  const ids = bytes.subarray(0, 2 * UUID_BYTES)
  const given = bytes.subarray(2 * UUID_BYTES)
  if (!tagsOf(ctx, ids).some((tag) => timingSafeEqual(given, tag))) return undefined
  return { projectId: uuidOf(ids.subarray(0, UUID_BYTES)), emailId: uuidOf(ids.subarray(UUID_BYTES)) }
}

/** The first is of the current secret. */
const tagsOf = ({ secrets }: SigningContext, ids: Buffer): Buffer[] =>
  secrets.validTags(PURPOSE, ids.toString('hex')).map((tag) => Buffer.from(tag, 'base64url').subarray(0, TAG_BYTES))

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

const uuidOf = (bytes: Buffer): string => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** How long a domain that was deleted can still be used. */
const DOMAINS_LAST_MS = 30_000
const DOMAINS_MAX = 1_000

interface SignedEmail {
  project_id: string
  from_email: string
  created_at: Date
}

/** Decrypts the keys when they are first needed. */
type ReadKey = () => DkimKey

interface KnownDomain {
  /** Undefined if the domain was deleted. */
  readKey: Promise<ReadKey | undefined>
  until: number
}

export type Signatures = ReturnType<typeof createSignatures>

/** The DKIM signatures of an email, with the keys of its sender's domain. Decrypted keys are kept for a while. */
export function createSignatures(ctx: Context) {
  const domains = new Map<string, KnownDomain>()

  /** A missing domain isn't remembered, because it can be added again. */
  function domainOfSender({ project_id, from_email }: SignedEmail): Promise<ReadKey | undefined> {
    const domain = senderDomain(from_email)
    const name = `${project_id} ${domain}`
    const known = domains.get(name)
    const now = performance.now()
    if (known && known.until > now) return known.readKey
    if (domains.size >= DOMAINS_MAX) domains.clear()
    const readKey = readDomain(ctx, project_id, domain)
    domains.set(name, { readKey, until: now + DOMAINS_LAST_MS })
    readKey.catch(() => undefined).then((found) => found ?? domains.delete(name))
    return readKey
  }

  /** The message with its signatures in front. */
  async function signWith(readKey: ReadKey, email: SignedEmail, raw: Buffer, priority: number): Promise<Buffer> {
    const sign = () => ctx.signer.sign(raw, readKey(), email.created_at, priority, email.project_id)
    const signature = await withSpan('sign message', {}, sign)
    return Buffer.concat([Buffer.from(signature, 'latin1'), raw])
  }

  return {
    /** Undefined if the domain was deleted after the email was accepted. */
    findKey: domainOfSender,
    signWith,
    /** For showing a message again: it is unchanged if the domain was deleted since. */
    async signAgain(email: SignedEmail, raw: Buffer): Promise<Buffer> {
      const readKey = await domainOfSender(email)
      return readKey ? signWith(readKey, email, raw, PRIORITY.transactional) : raw
    },
  }
}

async function readDomain(ctx: Context, projectId: string, domain: string): Promise<ReadKey | undefined> {
  const row = await findDkimKey(ctx.db, projectId, domain)
  if (!row) return undefined
  const { selector, sealed, ed25519Selector, ed25519Sealed } = row
  const decrypt = (key: Buffer) => createPrivateKey(ctx.secrets.decrypt(key))
  let key: DkimKey | undefined
  return () => {
    key ??= {
      domain,
      selector,
      privateKey: decrypt(sealed),
      ...(ed25519Selector &&
        ed25519Sealed && { ed25519: { selector: ed25519Selector, privateKey: decrypt(ed25519Sealed) } }),
    }
    return key
  }
}
