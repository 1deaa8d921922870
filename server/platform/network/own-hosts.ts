/**
 * Which names of this service a request may use. With DNS rebinding, a website resolves its own name to 127.0.0.1, and
 * browsers then let its scripts read the responses of this service. Such a request has the website's name in `Host`.
 */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

interface HostSettings {
  /** The address that the service listens on. */
  HOST: string
  ALLOWED_HOSTS: string[]
}

/** `localAddress`: the address of this machine that the client connected to. */
export function isOwnHost(
  header: string | undefined,
  { HOST, ALLOWED_HOSTS }: HostSettings,
  baseUrl: string,
  localAddress?: string,
): boolean {
  if (header === undefined) return true // HTTP/1.0; browsers always send it
  const name = hostNameIn(header)
  if (name === undefined) return false
  if (isIP(name)) return isOwnAddress(name, HOST, localAddress) || [hostOf(baseUrl), ...ALLOWED_HOSTS].includes(name)
  // No website can have a name without a dot, but containers in one network and machines in one office do.
  if (!name.includes('.') || name.endsWith('.localhost')) return true
  return name === hostOf(baseUrl) || ALLOWED_HOSTS.includes(name)
}

const KNOWN_MAX = 100
const known = new Map<string, string | undefined>()

/** The names of the last headers, because a service is called by few names, and reading one takes longer than the rest. */
function hostNameIn(header: string): string | undefined {
  if (known.has(header)) return known.get(header)
  if (known.size >= KNOWN_MAX) known.clear()
  const name = readHostName(header)
  known.set(header, name)
  return name
}

/** Without port, brackets and the dot at the end, and in the form that addresses have in URLs. */
function readHostName(header: string): string | undefined {
  if (!/^[\w.-]+(:\d*)?$|^\[[\da-f:.]+\](:\d*)?$/i.test(header) || !URL.canParse(`http://${header}`)) return undefined
  return hostOf(`http://${header}`)
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

function isOwnAddress(address: string, listensOn: string, localAddress: string | undefined): boolean {
  if (/^127\./.test(address) || address === '::1' || address === '0.0.0.0' || address === '::') return true
  if (address === listensOn || address === localAddress?.replace(/^::ffff:/, '')) return true
  const isEveryAddress = listensOn === '0.0.0.0' || listensOn === '::'
  return isEveryAddress && Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address))
}
