import { describe, expect, it } from 'vitest'
import { slugOf } from './compute.ts'

describe('a slug', () => {
  it.each([
    ['Pro users', 'pro-users'],
    ['  Pro -- users!  ', 'pro-users'],
    ['VIP 2026', 'vip-2026'],
    ['a.b_c/d', 'a-b-c-d'],
    ['Köln – Größe', 'köln-größe'],
    ['Ko\u0308ln', 'köln'],
    ['ПРИВЕТ мир', 'привет-мир'],
    ['😀 hi 😀', 'hi'],
    ['---', ''],
    ['', ''],
  ])('is made from a name: %j becomes %j', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })
})
