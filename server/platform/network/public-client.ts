/**
 * Requests to URLs that users enter, many to the same hosts: connections stay open for the next request. The addresses of
 * a name are checked whenever a connection is opened, and only checked ones are used. Redirects are not followed. A
 * separate module, so that undici is loaded only if it is needed.
 */
import { isIP, type LookupFunction } from 'node:net'
import { Agent, request } from 'undici'
import { VERSION } from '../version.ts'
import { checkedAddresses, FetchFailure, type FetchRules, readUrl, reasonOf } from './public-fetch.ts'
import { readUpTo } from './send-request.ts'

export interface ClientRules extends Pick<FetchRules, 'allowPrivate' | 'resolve'> {
  timeoutMs: number
  replyBytesMax: number
}

export interface ClientReply {
  status: number
  /** The body as UTF-8, up to the limit. */
  text: string
}

export type PublicClient = ReturnType<typeof createPublicClient>

export function createPublicClient(rules: ClientRules) {
  const lookup: LookupFunction = (hostname, options, done) => {
    checkedAddresses(hostname, rules).then(
      (addresses) => (options.all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family)),
      (error) => done(error, '', 0),
    )
  }
  const agent = new Agent({ connect: { lookup }, maxHeaderSize: 16_384 })

  return {
    /** Throws FetchFailure if there is no complete response in time. */
    async post(text: string, headers: Record<string, string>, body: string): Promise<ClientReply> {
      const deadline = AbortSignal.timeout(rules.timeoutMs)
      try {
        const url = readUrl(text)
        // An address in the URL itself is never looked up.
        if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) await checkedAddresses(url.hostname, rules)
        const reply = await request(url, {
          method: 'POST',
          headers: { 'user-agent': `Posthorn/${VERSION}`, 'accept-encoding': 'identity', ...headers },
          body,
          signal: deadline,
          dispatcher: agent,
        })
        const start = await readUpTo(reply.body, rules.replyBytesMax)
        return { status: reply.statusCode, text: new TextDecoder().decode(start) }
      } catch (error) {
        if (error instanceof FetchFailure) throw error
        if (deadline.aborted) throw new FetchFailure(`No complete response within ${rules.timeoutMs / 1000} seconds.`)
        throw new FetchFailure(reasonOf(error))
      }
    },
    close: (): Promise<void> => agent.destroy(),
  }
}
