/**
 * What is known of an address: its network, and whether it is one of the public internet. Everything else is somebody's inside: the machine itself, its
 * neighbours, a cloud's metadata. Forms that carry an IPv4 address inside an IPv6 one are refused whatever they carry:
 * no public service is reached that way only, and what they lead to depends on a network we cannot see.
 */
import ipaddr from 'ipaddr.js'

/** The whole public IPv6 range as of today. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Ranges inside it that are not public although the library treats them as such. */
const NOT_PUBLIC_IPV6 = [
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
].map((range) => ipaddr.IPv6.parseCIDR(range))

/** Inside every virtual machine of Azure, the service that manages it; routed nowhere else. */
const AZURE_PLATFORM = '168.63.129.16'

/** The network that one client has: an IPv4 address, or the /64 of an IPv6 one, whose owner has all of its addresses. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':') : parsed.toString()
}

/** An address as the system writes it: dotted IPv4, or IPv6 without brackets. Anything else is not public. */
export function isPublicAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return ipaddr.IPv4.parse(text).range() === 'unicast' && text !== AZURE_PLATFORM
  }
  if (!ipaddr.IPv6.isValid(text) || text.includes('%')) return false
  const address = ipaddr.IPv6.parse(text)
  return (
    address.match(GLOBAL_IPV6) &&
    !NOT_PUBLIC_IPV6.some((range) => address.match(range)) &&
    address.range() === 'unicast'
  )
}
