import { expect, it } from 'vitest'
import { TemplateError } from '../../../platform/rendering/template-error.ts'
import { addUtm, utmParameters, withParameters } from './utm.ts'

it.each([
  ['https://shop.example/sale', 'https://shop.example/sale?utm_source=news'],
  ['https://shop.example/?a=1', 'https://shop.example/?a=1&utm_source=news'],
  ['https://shop.example/?', 'https://shop.example/?utm_source=news'],
  ['https://shop.example/a?b=c#top', 'https://shop.example/a?b=c&utm_source=news#top'],
  ['https://shop.example#?utm', 'https://shop.example?utm_source=news#?utm'],
])('%s becomes %s', (link, expected) => expect(withParameters(link, 'utm_source=news')).toBe(expected))

it.each([
  'https://shop.example/?utm_campaign=own',
  'https://shop.example/?a=1&UTM_Source=own',
  'mailto:us@example.com',
  '#top',
  '/relative',
  'https://',
])('%s stays as it is', (link) => expect(withParameters(link, 'utm_source=news')).toBeUndefined())

it('values are rendered and encoded, and one that is empty or fails is left out', async () => {
  const html = '<a href="https://a.example/">A</a> <a href="https://post.example/unsubscribe/x">Unsubscribe</a>'
  const utm = { source: 'news & more', medium: '{{ missing }}', campaign: '{{ broken }}' }
  const render = async (template: string) => {
    if (template.includes('broken')) throw new TemplateError('size', 'Too large.')
    return ' '
  }
  expect(addUtm('https://post.example', html, await utmParameters(utm, render))).toBe(
    '<a href="https://a.example/?utm_source=news%20%26%20more">A</a> <a href="https://post.example/unsubscribe/x">Unsubscribe</a>',
  )
})
