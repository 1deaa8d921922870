/**
 * Lists of IP addresses and CIDR ranges that an API key can be used from. An IPv4 address inside IPv6
 * (`::ffff:192.0.2.1`) counts as the IPv4 address.
 */
import ipaddr from 'ipaddr.js'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, bits: number]

const MAPPED = ipaddr.IPv6.parseCIDR('::ffff:0:0/96')

/** Undefined unless it is an address or a range. An address is the range of itself. */
function parseRange(text: string): Range | undefined {
  const [address = '', bits, ...rest] = text.split('/')
  const isIpv4 = ipaddr.IPv4.isValidFourPartDecimal(address)
  if (rest.length > 0 || address.includes('%') || !(isIpv4 || ipaddr.IPv6.isValid(address))) return undefined
  const parsed = ipaddr.parse(address)
  const most = isIpv4 ? 32 : 128
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)) return undefined
  const length = bits === undefined ? most : Number(bits)
  return parsed instanceof ipaddr.IPv6 && length >= MAPPED[1] && parsed.match(MAPPED)
    ? [parsed.toIPv4Address(), length - MAPPED[1]]
    : [parsed, length]
}

const isWithin = ([address, bits]: Range, [network, prefix]: Range): boolean =>
  address.kind() === network.kind() && bits >= prefix && (address as ipaddr.IPv4).match(network as ipaddr.IPv4, prefix)

/** As it is stored: `203.0.113.9/24` is `203.0.113.0/24`. Undefined for anything else than an address or a range. */
export function normalizeRange(text: string): string | undefined {
  const range = parseRange(text)
  if (!range) return undefined
  const [address, bits] = range
  const kind = address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6
  if (bits === (kind === ipaddr.IPv4 ? 32 : 128)) return address.toString()
  return `${kind.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`
}

/** Whether a range, or an address, is completely inside one of the others. */
export function isInRanges(range: string, others: readonly string[]): boolean {
  const inner = parseRange(range)
  return inner !== undefined && others.some((other) => isWithin(inner, parseRange(other)!))
}

/** The network of an address that is precise enough to recognize a server, and too imprecise to identify a person. */
export function shortenAddress(address: string): string | null {
  const range = parseRange(address)
  if (!range) return null
  return normalizeRange(`${range[0].toString()}/${range[0].kind() === 'ipv4' ? 24 : 48}`) ?? null
}
