import { expect, it } from 'vitest'
import { isBot } from './bots.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36'
const hit = (agent: string, headers: Record<string, string> = {}, method = 'GET') =>
  isBot({ method, headers: { 'user-agent': agent, ...headers } }, false)

it.each([
  CHROME,
  'Mozilla/5.0', // Apple Mail behind its privacy proxy
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  'Outlook-iOS/709.2226530.prod.iphone (3.24.1)',
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.0',
])('a request with user agent %s is from a person', (agent) => expect(hit(agent)).toBe(false))

it.each([
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'facebookexternalhit/1.1',
  'Barracuda Sentinel (EE)',
  'Mozilla/5.0 HeadlessChrome/120.0',
  'curl/8.5.0',
  'python-requests/2.31',
  'Go-http-client/1.1',
  '',
])('a request with user agent %j is automatic', (agent) => expect(hit(agent)).toBe(true))

it('HEAD requests and prefetches are automatic', () => {
  expect(hit(CHROME, {}, 'HEAD')).toBe(true)
  expect(hit(CHROME, { 'sec-purpose': 'prefetch;prerender' })).toBe(true)
  expect(hit(CHROME, { 'x-moz': 'prefetch' })).toBe(true)
  expect(hit(CHROME, { purpose: 'preview' })).toBe(true)
})

it('in development a program counts as the developer, and a scanner is still automatic', () => {
  const inDevelopment = (agent: string) => isBot({ method: 'GET', headers: { 'user-agent': agent } }, true)
  expect(inDevelopment('curl/8.5.0')).toBe(false)
  expect(inDevelopment('')).toBe(false)
  expect(inDevelopment('Googlebot/2.1')).toBe(true)
})
