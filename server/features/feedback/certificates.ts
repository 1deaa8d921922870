/**
 * The certificates that SNS signs with, fetched once and kept for a day. Whoever asks while one is on its way waits for
 * the same one. The addresses have been checked; still nothing is followed, and not much is read.
 */
import { X509Certificate } from 'node:crypto'
import type { Context } from '../../context.ts'
import { Refusal } from '../../kernel/errors.ts'

const FETCH_MS = 5_000
const BYTES_MAX = 64 * 1024
const KEPT_MS = 24 * 3_600_000
/** There are a handful. More, with those on their way, is someone trying names: then only the known ones are believed. */
const KEPT_MAX = 50

interface Kept {
  at: number
  certificate: Promise<X509Certificate | undefined>
}

const keptOf = new WeakMap<Context, Map<string, Kept>>()

/** Nothing when there is no certificate at this address. Refuses, to be asked again, when that can't be told now. */
export function findCertificate(ctx: Context, url: URL): Promise<X509Certificate | undefined> {
  const kept = keptOf.get(ctx) ?? new Map<string, Kept>()
  keptOf.set(ctx, kept)
  const now = ctx.clock.now().getTime()
  const found = kept.get(url.href)
  if (found && now - found.at < KEPT_MS) return found.certificate

  if (!found && kept.size >= KEPT_MAX) return Promise.reject(tryLater())
  const certificate = fetchCertificate(ctx, url)
  kept.set(url.href, { at: now, certificate })
  const forget = () => kept.get(url.href)?.certificate === certificate && kept.delete(url.href)
  certificate.then((read) => read ?? forget(), forget)
  return certificate
}

async function fetchCertificate(ctx: Context, url: URL): Promise<X509Certificate | undefined> {
  const text = await fetchText(ctx, url)
  try {
    return text === undefined ? undefined : new X509Certificate(text)
  } catch {
    return undefined // some other file
  }
}

/** The text at an address of SNS; nothing when there is none. */
export async function fetchText(ctx: Context, url: URL): Promise<string | undefined> {
  try {
    const reply = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(FETCH_MS) })
    if (reply.status >= 500) throw new Error(`status ${reply.status}`)
    if (reply.status === 200) return await readUpTo(reply, BYTES_MAX)
    await reply.body?.cancel()
    return undefined
  } catch (error) {
    if (hasNoSuchHost(error)) return undefined
    ctx.log.warn({ reason: String(error), host: url.host }, 'an address of SNS could not be fetched')
    throw tryLater()
  }
}

const tryLater = () =>
  new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'SNS could not be reached to check this message.', {
    suggestion: 'Nothing was changed. Send it again later.',
    details: { retryAfter: 60 },
  })

async function readUpTo(reply: Response, most: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const hasNoSuchHost = (error: unknown): boolean =>
  ['ENOTFOUND', 'EAI_AGAIN'].includes(String((error as { cause?: { code?: unknown } }).cause?.code))
