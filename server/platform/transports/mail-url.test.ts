import { describe, expect, it } from 'vitest'
import { parseMailUrl } from './mail-url.ts'

describe('MAIL_URL', () => {
  it('has default options if it is only a host', () => {
    expect(parseMailUrl('smtp://mail.example.com')).toEqual({
      kind: 'smtp',
      host: 'mail.example.com',
      port: 587,
      tls: 'preferred',
      verify: true,
      auth: undefined,
      pool: 20,
      messages: 500,
      timeoutMs: 30_000,
      name: '',
      dkim: true,
    })
  })

  it('requires TLS if it has a password, except on the same machine or if it is disabled explicitly', () => {
    const tlsOf = (url: string) => (parseMailUrl(url) as { tls: string }).tls
    expect(tlsOf('smtp://u:p@mail.example.com')).toBe('required')
    expect(tlsOf('smtp://u:p@mail.example.com?tls=preferred')).toBe('preferred')
    expect(tlsOf('smtp://u:p@127.0.0.1:25')).toBe('preferred')
    expect(tlsOf('smtps://u:p@mail.example.com?tls=off')).toBe('implicit')
  })

  it('accepts every option, percent-encoded names, and IPv6 addresses', () => {
    const url =
      'smtp://a%40b:p%3A%2Fw@[::1]:2525?pool=3&messages=7&timeout=5&tls=off&verify=false&name=mx.example.com&dkim=off'
    expect(parseMailUrl(url)).toMatchObject({
      host: '::1',
      port: 2525,
      auth: { user: 'a@b', pass: 'p:/w' },
      pool: 3,
      messages: 7,
      timeoutMs: 5_000,
      tls: 'off',
      verify: false,
      name: 'mx.example.com',
      dkim: false,
    })
    expect(parseMailUrl('smtps://mail.example.com')).toMatchObject({ port: 465, tls: 'implicit' })
    expect(parseMailUrl('ses://eu-west-1?configurationSet=main')).toEqual({
      kind: 'ses',
      region: 'eu-west-1',
      configurationSet: 'main',
    })
  })

  it.each([
    'sendmail:',
    'capture',
    'smtp:',
    'smtp://',
    'smtp://host:99999',
    'smtp://host/path',
    'smtp://host?pool=0',
    'smtp://host?pool=many',
    'smtp://host?tls=maybe',
    'smtp://host?colour=red',
    'smtp://host?dkim=no',
    'ses://eu-west-1?dkim=off',
    'smtp://%ff:hidden@host',
    'ses://',
    'ses://nowhere',
    'ses://eu-west-1?pool=3',
  ])('%s is refused without repeating a password', (url) => {
    expect(() => parseMailUrl(url)).toThrow(/^(?!.*hidden).+/)
  })
})
