import { expect, it } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { branchOf } from './step-split.ts'

const BRANCHES = [
  { name: 'a', weight: 1 },
  { name: 'b', weight: 2 },
  { name: 'c', weight: 7 },
]

it('a SPLIT divides contacts by the weights of its branches', () => {
  const counts: Record<string, number> = { a: 0, b: 0, c: 0 }
  for (let i = 0; i < 20_000; i++) counts[branchOf(BRANCHES, 'step', `contact ${i}`).name]! += 1
  expect(counts.a! / 20_000).toBeCloseTo(0.1, 1)
  expect(counts.b! / 20_000).toBeCloseTo(0.2, 1)
  expect(counts.c! / 20_000).toBeCloseTo(0.7, 1)
})

it('a SPLIT sends a contact down the same branch every time, and two splits choose independently', () => {
  const contacts = Array.from({ length: 1_000 }, () => newId(new Date()))
  const halves = [
    { name: 'a', weight: 1 },
    { name: 'b', weight: 1 },
  ]
  const first = contacts.map((id) => branchOf(halves, 'first', id).name)
  expect(contacts.map((id) => branchOf(halves, 'first', id).name)).toEqual(first)
  const same = contacts.filter((id, i) => branchOf(halves, 'second', id).name === first[i]).length
  expect(same).toBeGreaterThan(400)
  expect(same).toBeLessThan(600)
})
