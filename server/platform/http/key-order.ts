/** PostgreSQL doesn't keep the order of keys in stored JSON. A schema has it. */
import type { z } from 'zod'
import { type Known, knownIn } from './unknown-fields.ts'

/** The value with its keys in the order of the schema; others follow. */
export const inSchemaOrder = (schema: z.ZodType, value: unknown): unknown => ordered(knownIn(schema), value)

function ordered(known: Known, value: unknown): unknown {
  if (!known || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const item = known.items?.()
    return item ? value.map((inner) => ordered(item, inner)) : value
  }
  const { keys } = known
  if (!keys) return value
  const given = new Map(Object.entries(value))
  const names = new Set([...[...keys.keys()].filter((key) => given.has(key)), ...given.keys()])
  return Object.fromEntries([...names].map((key) => [key, ordered(keys.get(key)?.(), given.get(key))]))
}
