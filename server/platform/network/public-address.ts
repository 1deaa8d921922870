/**
 * The network of an address, and whether the address is public. All others are internal: the machine itself, its local
 * network, a cloud's metadata service. IPv6 addresses that contain an IPv4 address are always refused: no public
 * service requires them, and their destination depends on a network we can't see.
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

/** In every virtual machine of Azure, the service that manages it. */
const AZURE_PLATFORM = '168.63.129.16'

/** The network of one client: an IPv4 address, or the /64 of an IPv6 address, whose owner has all of its addresses. */
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
