/** Parsers of setting values. Each throws a WrongValue that completes the sentence "NAME must be …". */
import { isIP } from 'node:net'
import path from 'node:path'
import { isDomainName, isEmailAddress } from '../kernel/email-address.ts'
import { parseMailUrl, WrongMailUrl } from '../platform/transports/mail-url.ts'

export class WrongValue extends Error {}

export interface Setting<T> {
  /** The default as text; empty means "not set". */
  default: string
  /** A short description of the allowed values. */
  takes: string
  help: string
  /** Throws an Error that completes the sentence "NAME must be …". */
  parse(text: string): T
}

export const setting = <T>(row: Setting<T>): Setting<T> => row

export function integer(min: number, max: number) {
  return (value: string): number => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new WrongValue(`a whole number from ${min} to ${max}`)
    }
    return number
  }
}

/** Numbers of seconds, separated by commas. */
export function secondsList(max: number, most: number) {
  return (value: string): number[] => {
    const parts = value.split(',').map((part) => part.trim())
    const isValid = parts.length <= most && parts.every((part) => /^\d+(\.\d+)?$/.test(part) && Number(part) <= max)
    if (!isValid) throw new WrongValue(`1 to ${most} numbers from 0 to ${max}, separated by commas`)
    return parts.map(Number)
  }
}

export function positiveNumber(value: string): number {
  const number = Number(value)
  if (!(number > 0) || !Number.isFinite(number)) throw new WrongValue('a number above 0')
  return number
}

function parseYesNo(value: string): boolean {
  if (value === 'true' || value === '1') return true
  if (value === 'false' || value === '0') return false
  throw new WrongValue('true or false')
}

/** A setting that is false unless it is set to true. */
export const offByDefault = { default: 'false', takes: 'true, false', parse: parseYesNo }

export function oneOf<const T extends string>(...choices: T[]) {
  return (value: string): T => {
    const choice = choices.find((c) => c === value)
    if (!choice) throw new WrongValue(`one of ${choices.join(', ')}`)
    return choice
  }
}

export function webAddress(value: string): string {
  if (value === '') return ''
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new WrongValue('an http:// or https:// URL without a query')
  }
  return value.replace(/\/+$/, '')
}

export const optionalUrl = { default: '', takes: 'URL', parse: webAddress }

export function databaseUrl(value: string): string {
  if (value !== '' && !(/^postgres(ql)?:\/\/.+/.test(value) && URL.canParse(value))) {
    throw new WrongValue('a postgres:// URL, or empty for the embedded database')
  }
  return value
}

export function host(value: string): string {
  if (isIP(value) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value)) {
    throw new WrongValue('an IP address or a host name')
  }
  return value
}

export function mailUrl(value: string): string {
  try {
    parseMailUrl(value)
  } catch (error) {
    if (error instanceof WrongMailUrl) throw new WrongValue(error.message)
    throw error
  }
  return value
}

export function sender(value: string): string {
  if (!isEmailAddress(value) && !/^[^\s@]+@localhost$/.test(value)) throw new WrongValue('an email address')
  return value
}

/** In the form of Node's resolver: `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1`, `[2001:db8::1]:5353`. */
export function dnsServers(value: string): readonly string[] {
  const servers = value === '' ? [] : value.split(',').map((server) => server.trim())
  for (const server of servers) {
    const [, v6, v4, port] = /^(?:\[(.+)\]|(.+)):(\d{1,5})$/.exec(server) ?? []
    const withPort = (isIP(v6 ?? '') === 6 || isIP(v4 ?? '') === 4) && Number(port) >= 1 && Number(port) <= 65535
    if (isIP(server) === 0 && !withPort) {
      throw new WrongValue(
        'a list of IP addresses, with or without a port, separated by commas, or empty for the system resolver',
      )
    }
  }
  return servers
}

const NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

/** Addresses, networks such as 10.0.0.0/8, and the web server's names for common ranges. */
export function proxies(value: string): string[] {
  const named = value === '' ? [] : value.split(',').map((proxy) => proxy.trim())
  if (!named.every((proxy) => NETWORKS.includes(proxy) || isNetwork(proxy))) {
    throw new WrongValue(`a list of addresses, networks such as 10.0.0.0/8, ${NETWORKS.join(', ')}, or empty`)
  }
  return named
}

function isNetwork(text: string): boolean {
  const [, address, bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address ?? '')
  return version > 0 && (bits === undefined || (Number(bits) > 0 && Number(bits) <= (version === 4 ? 32 : 128)))
}

function isBucket(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const endpoint = url?.searchParams.get('endpoint')
  const fits = url?.protocol === 's3:' && url.hostname !== ''
  return fits && (!endpoint || (/^https?:\/\//.test(endpoint) && URL.canParse(endpoint)))
}

export function uploadsUrl(value: string): string {
  if (value !== '' && !isBucket(value)) {
    throw new WrongValue('s3://bucket?endpoint=…&region=…, or empty for DATA_DIR/uploads')
  }
  return value
}

/** A folder or a bucket. */
export function archive(value: string): string {
  if (value === '' || isBucket(value)) return value
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) {
    throw new WrongValue('a folder, s3://bucket/prefix?endpoint=…&region=…, or empty')
  }
  return path.resolve(value)
}

/** Not normalized: a trailing slash is part of an issuer's name. */
export function issuer(value: string): string {
  const url = value !== '' && URL.canParse(value) ? new URL(value) : undefined
  const onLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url?.hostname ?? '')
  const fits = url?.protocol === 'https:' || (url?.protocol === 'http:' && onLoopback)
  if (value !== '' && (!fits || url?.search || url?.hash)) throw new WrongValue('an https:// URL')
  return value
}

export const text = { default: '', takes: 'text', parse: (value: string) => value }

/** A comma list; empty means none. */
export function list(fits: RegExp, words: string) {
  return (value: string): readonly string[] => {
    const items = value === '' ? [] : value.split(',').map((item) => item.trim())
    if (!items.every((item) => fits.test(item))) throw new WrongValue(words)
    return items
  }
}

/** The host name of a mail server; MX records can't contain an address. */
export function hostName(value: string): string {
  if (value !== '' && !isDomainName(value)) throw new WrongValue('a host name such as mx.example.com, or empty')
  return value.toLowerCase()
}

/** Names and addresses as they are in URLs, without a port. */
export function hosts(value: string): string[] {
  const named = value === '' ? [] : value.split(',').map((name) => name.trim().toLowerCase())
  if (!named.every((name) => isDomainName(name) || isIP(name) > 0)) {
    throw new WrongValue('a list of host names and addresses without ports, such as mail.example.com, or empty')
  }
  return named.map((name) => (isIP(name) === 6 ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name))
}

export function optionalHost(value: string): string {
  return value === '' ? '' : host(value)
}

export function file(value: string): string {
  return value === '' ? '' : path.resolve(value)
}

function secret(value: string): string {
  if (value !== '' && value.length < 16) throw new WrongValue('at least 16 characters, or empty to generate one')
  return value
}

export const optionalSecret = { default: '', takes: '16 characters or more', parse: secret }
