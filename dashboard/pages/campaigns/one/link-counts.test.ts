import { expect, it } from 'vitest'
import { withoutUtm } from './link-counts.ts'

it.each([
  ['https://a.example/?utm_source=x', 'https://a.example/'],
  ['https://a.example/?a=1&utm_source=x&utm_medium=y#top', 'https://a.example/?a=1#top'],
  ['https://a.example/?a=1', 'https://a.example/?a=1'],
  ['#utm_top', '#utm_top'],
])('%s without its UTM parameters is %s', (link, expected) => expect(withoutUtm(link)).toBe(expected))
