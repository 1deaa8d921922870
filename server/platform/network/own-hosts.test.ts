import { expect, it } from 'vitest'
import { isOwnHost } from './own-hosts.ts'

const settings = { HOST: '10.0.0.5', ALLOWED_HOSTS: ['mail.example.org', '203.0.113.7', '2001:db8::7'] }
const isOwn = (host: string | undefined, localAddress?: string) =>
  isOwnHost(host, settings, 'https://Posthorn.example.com', localAddress)

it.each([
  undefined, // HTTP/1.0
  'posthorn.example.com',
  'POSTHORN.example.com:8443',
  'posthorn.example.com.',
  'mail.example.org:3000',
  'localhost',
  'localhost:3000',
  'app.localhost:3000',
  '127.0.0.1:3000',
  '127.1.2.3',
  '[::1]:3000',
  '[0:0:0:0:0:0:0:1]',
  '10.0.0.5',
  '203.0.113.7:80',
  '[2001:db8:0::7]:80',
  'posthorn:3000', // a container
])('%s is ours', (host) => {
  expect(isOwn(host)).toBe(true)
})

it.each([
  '',
  'evil.test',
  'evil.test:3000',
  'posthorn.example.com.evil.test',
  'evil-posthorn.example.com',
  'localhost.evil.test',
  '127.0.0.1.evil.test',
  '10.0.0.6',
  '8.8.8.8',
  '[2001:db8::8]',
  'posthorn.example.com@evil.test',
  'evil.test/posthorn.example.com',
  'evil.test#.localhost',
  'evil.test\\.localhost',
  'posthorn.example.com, evil.test',
  '%6c%6f%63alhost.evil.test',
])('%s is not', (host) => {
  expect(isOwn(host)).toBe(false)
})

it('the address that the client connected to is ours, also as IPv4 in IPv6', () => {
  expect(isOwn('192.168.1.9:3000', '192.168.1.9')).toBe(true)
  expect(isOwn('192.168.1.9:3000', '::ffff:192.168.1.9')).toBe(true)
  expect(isOwn('192.168.1.9:3000', '192.168.1.8')).toBe(false)
})
