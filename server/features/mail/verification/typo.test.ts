import { describe, expect, it } from 'vitest'
import { suggestDomain } from './typo.ts'

describe('suggestDomain', () => {
  it.each([
    ['gmial.com', 'gmail.com'],
    ['gamil.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['gmail.co', 'gmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['yaho.com', 'yahoo.com'],
    ['outlok.com', 'outlook.com'],
    ['icloud.co', 'icloud.com'],
    ['acme.con', 'acme.com'],
  ])('reports %s and suggests %s', (domain, suggested) => {
    expect(suggestDomain(domain)).toBe(suggested)
  })

  it.each([
    'gmail.com',
    'googlemail.com',
    'gmx.de',
    'mail.com',
    'email.com',
    'example.com',
    'example.org',
    'acme.io',
    'acme.co',
    'stripe.com',
    'acme.test',
    'xn--mller-kva.de',
    'mail.acme.co.uk',
    'mailinator.com',
  ])('accepts %s', (domain) => {
    expect(suggestDomain(domain)).toBeUndefined()
  })
})
