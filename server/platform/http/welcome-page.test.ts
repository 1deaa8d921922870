import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { PAGE_CSP } from './page-look.ts'
import { welcomePage } from './welcome-page.ts'

const page = welcomePage({ version: '1.2.3', baseUrl: 'https://mail.example.com' })

it('says what runs and where its doors are', () => {
  expect(page).toContain('<title>Posthorn</title>')
  expect(page).toContain('1.2.3')
  for (const path of ['/docs', '/openapi.json', '/health', '/ready', '/metrics']) {
    expect(page).toContain(`<a href="${path}">`)
  }
})

it('shows a first request to this very server, with a key to fill in', () => {
  expect(page).toContain('curl https://mail.example.com/v1/send')
  expect(page).toContain('POSTHORN_SECRET_KEY=sk_…')
})

it('is allowed by the same policy as the reference and needs nothing else', () => {
  const style = page.match(/<style>(.*?)<\/style>/s)![1]!
  expect(PAGE_CSP).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
  expect(page).not.toMatch(/<script|\sstyle=|\ssrc=|url\(/)
})

it('takes name and address for text', () => {
  const made = welcomePage({ version: '<i>', baseUrl: 'https://x/"><script>', name: '<b>' })
  expect(made).not.toMatch(/<i>|<b>|<script/)
})
