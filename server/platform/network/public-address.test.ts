/** Every form of a private address, one row each, and addresses that must stay reachable. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'

const PRIVATE = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254
  172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.171 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1
  192.168.255.255 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1
  255.255.255.255 168.63.129.16
  :: ::1 ::7f00:1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:0:8.8.8.8 0:0:0:0:0:0:0:1
  64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:10::1
  2001:20::1 2001:db8::1 2002:7f00:1:: 2002:808:808::1 3fff::1 4000::1 5f00::1 fc00::1 fd12:3456::1 fe80::1
  fe80::1%eth0 fec0::1 ff02::1
`
const PUBLIC = `
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1 169.253.0.1 172.15.255.255
  172.32.0.1 168.63.129.15 168.63.129.17 192.0.1.1 192.167.255.255 192.169.0.1 198.17.255.255 198.20.0.1 203.0.112.1 223.255.255.255
  2001:200::1 2001:4860:4860::8888 2003::1 2606:4700:4700::1111 2a00:1450:4001:800::200e
`
const NO_ADDRESS = [
  '',
  'localhost',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '8.8.8',
  '[::1]',
  '8.8.8.8 ',
  'x',
]

const words = (text: string) => text.trim().split(/\s+/)

describe('an IP address', () => {
  it.each(words(PRIVATE))('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))
  it.each(words(PUBLIC))('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))
  it.each(NO_ADDRESS)('"%s" is not an address, so it is not public', (text) =>
    expect(isPublicAddress(text)).toBe(false),
  )

  it('in another notation is checked after the URL parser has normalized it', () => {
    const forms = ['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0x7f.1', '017700000001', '①②⑦.0.0.1']
    expect(forms.map((form) => new URL(`http://${form}/`).hostname)).toEqual(forms.map(() => '127.0.0.1'))
  })

  it('is never public if it embeds an IPv4 address', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (v4) => {
        const [high, low] = [(v4 >>> 16).toString(16), (v4 & 0xffff).toString(16)]
        const forms = [`::ffff:${high}:${low}`, `::${high}:${low}`, `64:ff9b::${high}:${low}`, `2002:${high}:${low}::1`]
        return forms.every((form) => !isPublicAddress(form))
      }),
    )
  })
})
