/**
 * Whether an address is on the public internet. Everything else is internal: the machine itself, its neighbors, cloud
 * metadata. IPv6 addresses that embed an IPv4 address are refused, because their target depends on the network and no
 * public service needs them.
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

/** An address as the system writes it: dotted IPv4, or IPv6 without brackets. Anything else is not public. */
export function isPublicAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).range() === 'unicast'
  if (!ipaddr.IPv6.isValid(text) || text.includes('%')) return false
  const address = ipaddr.IPv6.parse(text)
  return (
    address.match(GLOBAL_IPV6) &&
    !NOT_PUBLIC_IPV6.some((range) => address.match(range)) &&
    address.range() === 'unicast'
  )
}
