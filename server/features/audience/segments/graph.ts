/**
 * Segments can refer to segments. The references must exist, must not form a cycle, and their total size is limited.
 */
import {
  type Condition,
  filterCountOf,
  filterPlacesOf,
  segmentIdsOf,
  targetOf,
} from '../../../kernel/conditions/condition.ts'
import { invalidField, notFound } from '../../../kernel/errors.ts'
import type { NamedSegment } from './condition-queries.ts'

export interface GraphNode {
  id: string
  name: string
  segmentIds: string[]
  filterCount: number
}

/** The filters of a segment including those of the segments it refers to, because they become one statement. */
const FILTERS_MAX = 1_000

/** Refuses a segment with an invalid condition. `others` may include its previous version. */
export function refuseBadReferences(segment: GraphNode, condition: Condition, others: GraphNode[]): void {
  const nodes = new Map(others.map((node) => [node.id, node]))
  nodes.set(segment.id, segment)
  for (const id of segment.segmentIds) if (!nodes.has(id)) throw notFound('segment', id)

  for (const id of segment.segmentIds) {
    if (!dependsOn(id, segment.id, nodes)) continue
    const message = `The segment "${nodes.get(id)!.name}" refers back to this segment. A segment can't depend on itself.`
    throw invalidField(placeOf(condition, id) ?? 'condition', message)
  }
  const sizes = new Map<string, number>()
  for (const { id, name } of nodes.values()) {
    if (sizeOf(id, nodes, sizes) <= FILTERS_MAX || !dependsOn(id, segment.id, nodes)) continue
    const what = id === segment.id ? 'This condition' : `The segment "${name}", which depends on this one,`
    throw invalidField(
      'condition',
      `${what} would have more than ${FILTERS_MAX} filters, including those of the segments it refers to.`,
    )
  }
}

/**
 * Refuses a condition whose statement would be too large, including the segments it refers to. Checked before SQL is
 * built, because building it takes as long as the statement is large.
 */
export function refuseLargeCondition(condition: Condition, named: ReadonlyMap<string, NamedSegment>): void {
  const nodes = new Map<string, GraphNode>()
  for (const [id, segment] of named) if (!segment.stored) nodes.set(id, nodeOf(id, segment.condition))
  nodes.set('', nodeOf('', condition))
  if (sizeOf('', nodes, new Map()) <= FILTERS_MAX) return
  throw invalidField(
    'condition',
    `The condition would have more than ${FILTERS_MAX} filters, including those of the segments it refers to. Refer to fewer segments, or to smaller ones.`,
    'too_big',
  )
}

const nodeOf = (id: string, condition: Condition): GraphNode => ({
  id,
  name: '',
  segmentIds: segmentIdsOf(condition),
  filterCount: filterCountOf(condition),
})

function dependsOn(from: string, to: string, nodes: Map<string, GraphNode>, seen = new Set<string>()): boolean {
  if (from === to) return true
  if (seen.has(from)) return false
  seen.add(from)
  return nodes.get(from)?.segmentIds.some((id) => dependsOn(id, to, nodes, seen)) ?? false
}

/** A segment that is referred to twice counts twice. The graph has no cycles at this point. */
function sizeOf(id: string, nodes: Map<string, GraphNode>, sizes: Map<string, number>): number {
  const known = sizes.get(id)
  if (known !== undefined) return known
  sizes.set(id, 0)
  const node = nodes.get(id)
  const named = node?.segmentIds.reduce((sum, inner) => sum + sizeOf(inner, nodes, sizes), 0) ?? 0
  const size = (node?.filterCount ?? 0) + named
  sizes.set(id, size)
  return size
}

/** The path of the filter that refers to a segment. */
const placeOf = (condition: Condition, segmentId: string): string | undefined => {
  const place = filterPlacesOf(condition, 'condition').find(({ filter: { field, operator } }) => {
    const target = targetOf(field, operator)
    return target?.family === 'segment' && target.segmentId === segmentId
  })
  return place && `${place.path}.field`
}
