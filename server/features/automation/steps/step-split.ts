/** SPLIT: continues on one of several branches, at random by their weights. A contact always takes the same one. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { defineStep } from './step.ts'

const BRANCHES_MIN = 2
const BRANCHES_MAX = 5
const WEIGHT_MAX = 1_000

const config = z.strictObject({
  branches: z
    .array(
      z.strictObject({
        name: z.string().trim().min(1, 'Must not be empty.').max(50, 'Must be at most 50 characters.'),
        weight: z
          .int('Must be a whole number.')
          .min(1, 'Must be at least 1. To send nobody down a branch, remove it.')
          .max(WEIGHT_MAX, `Must be at most ${WEIGHT_MAX}.`),
      }),
    )
    .min(BRANCHES_MIN, `Must have at least ${BRANCHES_MIN} branches.`)
    .max(BRANCHES_MAX, `Must have at most ${BRANCHES_MAX} branches.`)
    .superRefine((branches, ctx) => {
      for (const [i, { name }] of branches.entries()) {
        if (branches.findIndex((other) => other.name === name) === i) continue
        ctx.addIssue({ code: 'custom', path: [i, 'name'], message: `There is already a branch "${name}".` })
      }
    }),
})

type Branch = z.output<typeof config>['branches'][number]

export const splitStep = defineStep({
  type: 'SPLIT',
  config,
  branches: namesIn,
  run: async ({ step, contact }, { branches }) => {
    const { name } = branchOf(branches, step.id, contact.id)
    return { kind: 'continue', branch: name, output: { branch: name } }
  },
})

/** Reads a configuration that may not be valid yet. */
function namesIn({ branches }: Record<string, unknown>): string[] {
  if (!Array.isArray(branches)) return []
  const names = branches.map((branch: { name?: unknown } | null) => branch?.name)
  return names.flatMap((name) => (typeof name === 'string' ? [name.trim()] : []))
}

const HASH_BYTES = 6

/** Derived from the contact, so that a repeated run and a second execution take the branch of the first. */
export function branchOf(branches: Branch[], stepId: string, contactId: string): Branch {
  const hash = createHash('sha256').update(`${stepId} ${contactId}`).digest().readUIntBE(0, HASH_BYTES)
  const total = branches.reduce((sum, { weight }) => sum + weight, 0)
  let left = (hash / 2 ** (8 * HASH_BYTES)) * total
  for (const branch of branches) {
    left -= branch.weight
    if (left < 0) return branch
  }
  return branches.at(-1)!
}
