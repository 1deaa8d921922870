/** Limits the number of connections per address. An IPv6 network counts as one address. */
import ipaddr from 'ipaddr.js'

export interface ConnectionCaps {
  /** False if the address has reached its limit. */
  enter(sessionId: string, address: string): boolean
  leave(sessionId: string): void
}

export function connectionCaps(most: number): ConnectionCaps {
  const counts = new Map<string, number>()
  const networkOf = new Map<string, string>()
  return {
    enter(sessionId, address) {
      const network = networkNameOf(address)
      const count = counts.get(network) ?? 0
      if (count >= most) return false
      counts.set(network, count + 1)
      networkOf.set(sessionId, network)
      return true
    },
    leave(sessionId) {
      const network = networkOf.get(sessionId)
      if (network === undefined) return
      networkOf.delete(sessionId)
      const count = counts.get(network)! - 1
      if (count > 0) counts.set(network, count)
      else counts.delete(network)
    },
  }
}

function networkNameOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':') : parsed.toString()
}

export const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
