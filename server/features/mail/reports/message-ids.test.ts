import { expect, it } from 'vitest'
import { ownIdIn } from './message-ids.ts'

const ID = '01a1dd1f-5566-7386-9343-5429898a495c'

it('our own Message-IDs are recognized', () => {
  expect(ownIdIn(`${ID.toUpperCase()}@example.com`)).toBe(ID)
  expect(ownIdIn(`x${ID}@example.com`)).toBeNull()
  expect(ownIdIn(ID)).toBeNull()
  expect(ownIdIn('')).toBeNull()
})
