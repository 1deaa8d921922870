import { expect, it } from 'vitest'
import { connectionCaps, isLoopback } from './connection-caps.ts'

it('the connections of an address are limited, and a closed connection is no longer counted', () => {
  const caps = connectionCaps(2)
  expect(caps.enter('a', '192.0.2.1')).toBe(true)
  expect(caps.enter('b', '192.0.2.1')).toBe(true)
  expect(caps.enter('c', '192.0.2.1')).toBe(false)
  expect(caps.enter('d', '192.0.2.2')).toBe(true)
  caps.leave('c') // was never accepted
  expect(caps.enter('e', '192.0.2.1')).toBe(false)
  caps.leave('a')
  caps.leave('a')
  expect(caps.enter('f', '192.0.2.1')).toBe(true)
  expect(caps.enter('g', '192.0.2.1')).toBe(false)
})

it('the addresses of one IPv6 network are counted together, in any spelling', () => {
  const caps = connectionCaps(1)
  expect(caps.enter('a', '2001:db8:0:1::1')).toBe(true)
  expect(caps.enter('b', '2001:db8:0:1:ffff::9')).toBe(false)
  expect(caps.enter('c', '2001:db8:0:2::1')).toBe(true)
  expect(caps.enter('d', '192.0.2.1')).toBe(true)
  expect(caps.enter('e', '::ffff:192.0.2.1')).toBe(false)
})

it('loopback addresses are recognized in all forms', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) expect(isLoopback(address)).toBe(true)
  for (const address of ['10.0.0.1', '192.0.2.1', '2001:db8::1', 'none', '']) expect(isLoopback(address)).toBe(false)
})
