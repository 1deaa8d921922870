/** Limits the number of connections per address. An IPv6 network counts as one address. */
import ipaddr from 'ipaddr.js'
import { networkOf } from '../network/public-address.ts'

export interface ConnectionCaps {
  /** False if the address has reached its limit. */
  enter(sessionId: string, address: string): boolean
  leave(sessionId: string): void
}

export function connectionCaps(most: number): ConnectionCaps {
  const counts = new Map<string, number>()
  const networks = new Map<string, string>()
  return {
    enter(sessionId, address) {
      const network = networkOf(address)
      const count = counts.get(network) ?? 0
      if (count >= most) return false
      counts.set(network, count + 1)
      networks.set(sessionId, network)
      return true
    },
    leave(sessionId) {
      const network = networks.get(sessionId)
      if (network === undefined) return
      networks.delete(sessionId)
      const count = counts.get(network)! - 1
      if (count > 0) counts.set(network, count)
      else counts.delete(network)
    },
  }
}

export const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
