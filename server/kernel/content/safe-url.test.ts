import { expect, it } from 'vitest'
import { isSafeUrl } from './safe-url.ts'

it.each([
  'https://example.org/',
  'mailto:a@example.org',
  '{{url}}',
  '{{base}}/a?b=c:d',
  '{{protocol}}://example.org',
  '{{host}}:8080/',
  'https://{{host}}:8080/javascript:',
])('%s is a safe URL', (url) => {
  expect(isSafeUrl(url)).toBe(true)
})

it.each([
  'javascript:alert(1)',
  '/path',
  '{{x}}javascript:alert(1)',
  '{{x}} javascript:alert(1)',
  '{{x}}java{{y}}script:alert(1)',
  '{{x}}java{% if y %}x{% else %}script:{% endif %}1',
  '{{x}}data:text/html,1',
  'https://example.org/"',
])('%s is not a safe URL', (url) => {
  expect(isSafeUrl(url)).toBe(false)
})
