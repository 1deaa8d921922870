/**
 * Sources of a project that ran out of time repeatedly, and never in between were rendered in time. For a minute, they
 * are refused instead of rendered, so that a mailing with such a template fails at once.
 */
import { createHash } from 'node:crypto'
import { TemplateError } from './template-error.ts'

const TIMES_MAX = 3
const REFUSED_FOR_MS = 60_000
const SOURCES_MAX = 1_000

export interface LateSources {
  /** Why a source isn't rendered. */
  refusalOf(projectId: string, source: string): TemplateError | undefined
  recordLate(projectId: string, source: string): void
  recordInTime(projectId: string, source: string): void
}

export function createLateSources(now: () => number = () => performance.now()): LateSources {
  const late = new Map<string, { times: number; until: number }>()
  const keyOf = (projectId: string, source: string) =>
    createHash('sha256').update(`${projectId} `).update(source).digest('base64')

  function find(key: string) {
    const found = late.get(key)
    if (found && found.until > now()) return found
    late.delete(key)
    return undefined
  }

  return {
    refusalOf(projectId, source) {
      if (late.size === 0) return undefined
      const times = find(keyOf(projectId, source))?.times ?? 0
      return times >= TIMES_MAX ? isTooSlow() : undefined
    },
    recordLate(projectId, source) {
      const key = keyOf(projectId, source)
      const times = (find(key)?.times ?? 0) + 1
      late.delete(key)
      late.set(key, { times, until: now() + REFUSED_FOR_MS }) // the last one again
      if (late.size > SOURCES_MAX) late.delete(late.keys().next().value!)
    },
    recordInTime(projectId, source) {
      if (late.size > 0) late.delete(keyOf(projectId, source))
    },
  }
}

const isTooSlow = () =>
  new TemplateError(
    'time',
    `The template took too long to render ${TIMES_MAX} times in a row, so it was not rendered again. Use fewer or shorter loops. An unchanged template is rendered again after a minute.`,
  )
