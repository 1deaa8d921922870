/**
 * Every change to the blocks of an email, without a user interface: a document and what to change give a new document.
 * Blocks are in lists: the email itself, each column, and the two branches of a condition or the content of a loop.
 */
import { type Block, type BlockType, type Column, type EmailDocument, newId } from './document.ts'

/** The list of the email itself. The other lists are named by the block or column that contains them. */
export const ROOT = 'email'

export interface Place {
  list: string
  index: number
}

interface BlockList {
  id: string
  blocks: readonly Block[]
  /** The block that contains the list. */
  owner: Block | undefined
}

const LOGIC_DEPTH_MAX = 2

const isLogic = ({ type }: { type: BlockType }) => type === 'condition' || type === 'loop'

const listName = (id: string, branch: 'blocks' | 'otherwise') => `${id}.${branch}`

/** The lists directly inside a block, in reading order. */
export function listsIn(block: Block): BlockList[] {
  if (block.type === 'columns') return block.columns.map(({ id, blocks }) => ({ id, blocks, owner: block }))
  if (block.type === 'loop') return [{ id: listName(block.id, 'blocks'), blocks: block.blocks, owner: block }]
  if (block.type !== 'condition') return []
  return [
    { id: listName(block.id, 'blocks'), blocks: block.blocks, owner: block },
    ...(block.otherwise ? [{ id: listName(block.id, 'otherwise'), blocks: block.otherwise, owner: block }] : []),
  ]
}

const listsBelow = (block: Block): BlockList[] =>
  listsIn(block).flatMap((list) => [list, ...list.blocks.flatMap(listsBelow)])

const allLists = ({ blocks }: EmailDocument): BlockList[] => [
  { id: ROOT, blocks, owner: undefined },
  ...blocks.flatMap(listsBelow),
]

/** Every block in reading order. */
export const allBlocks = ({ blocks }: { blocks: readonly Block[] }): Block[] =>
  blocks.flatMap((block) => [block, ...listsIn(block).flatMap((list) => allBlocks(list))])

export const findBlock = (document: EmailDocument, id: string | undefined) =>
  allBlocks(document).find((block) => block.id === id)

export const findList = (document: EmailDocument, list: string) => allLists(document).find(({ id }) => id === list)

/** The block that directly contains a block; undefined at the top level. */
export const ownerOf = (document: EmailDocument, id: string): Block | undefined =>
  allLists(document).find(({ blocks }) => blocks.some((block) => block.id === id))?.owner

export function placeOf(document: EmailDocument, id: string): Place | undefined {
  for (const list of allLists(document)) {
    const index = list.blocks.findIndex((block) => block.id === id)
    if (index >= 0) return { list: list.id, index }
  }
  return undefined
}

/** The blocks around a list, the innermost first. */
function ownersOf(document: EmailDocument, list: string): Block[] {
  const owner = findList(document, list)?.owner
  return owner ? [owner, ...ownersOf(document, placeOf(document, owner.id)!.list)] : []
}

const logicDepth = (block: Block): number =>
  (isLogic(block) ? 1 : 0) + Math.max(0, ...listsIn(block).flatMap(({ blocks }) => blocks.map(logicDepth)))

/** Columns contain only content, and conditions and loops contain each other once. */
export function canContain(document: EmailDocument, list: string, block: Block): boolean {
  const owners = ownersOf(document, list)
  if (owners.some(({ id }) => id === block.id)) return false
  if (owners[0]?.type === 'columns') return listsIn(block).length === 0
  return owners.filter(isLogic).length + logicDepth(block) <= LOGIC_DEPTH_MAX
}

/** Applies a change to every list of blocks, the innermost first. */
function mapLists(
  blocks: readonly Block[],
  list: string,
  change: (list: string, blocks: readonly Block[]) => readonly Block[],
): Block[] {
  const inside = blocks.map((block): Block => {
    if (block.type === 'columns') {
      const columns = block.columns.map((one) => ({ ...one, blocks: mapLists(one.blocks, one.id, change) }))
      return { ...block, columns }
    }
    if (block.type === 'loop') return { ...block, blocks: mapLists(block.blocks, listName(block.id, 'blocks'), change) }
    if (block.type !== 'condition') return block
    return {
      ...block,
      blocks: mapLists(block.blocks, listName(block.id, 'blocks'), change),
      ...(block.otherwise
        ? { otherwise: mapLists(block.otherwise, listName(block.id, 'otherwise'), change) }
        : undefined),
    }
  })
  return [...change(list, inside)]
}

const withLists = (document: EmailDocument, change: Parameters<typeof mapLists>[2]): EmailDocument => ({
  ...document,
  blocks: mapLists(document.blocks, ROOT, change),
})

export const insertBlocks = (document: EmailDocument, { list, index }: Place, added: readonly Block[]): EmailDocument =>
  withLists(document, (id, blocks) => (id === list ? blocks.toSpliced(index, 0, ...added) : blocks))

export const removeBlocks = (document: EmailDocument, ids: readonly string[]): EmailDocument =>
  withLists(document, (_, blocks) => blocks.filter((block) => !ids.includes(block.id)))

export const updateBlock = (document: EmailDocument, id: string, changes: object): EmailDocument =>
  withLists(document, (_, blocks) =>
    blocks.map((block) => (block.id === id ? (withoutUndefined({ ...block, ...changes }) as Block) : block)),
  )

/** The API omits a field instead of leaving it empty. */
export const withoutUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

/** From one block to another, inclusive. Blocks are selected together only if they are in the same list. */
export function blocksBetween(document: EmailDocument, from: string | undefined, to: string | undefined): Block[] {
  const end = to === undefined ? undefined : placeOf(document, to)
  if (!end) return []
  const start = (from !== undefined && placeOf(document, from)) || end
  const [first, last] =
    start.list === end.list ? [start.index, end.index].sort((a, b) => a - b) : [end.index, end.index]
  return findList(document, end.list)!.blocks.slice(first, last! + 1)
}

/** The block and its containers, innermost first. */
const withOwners = (document: EmailDocument, id: string): string[] => {
  const place = placeOf(document, id)
  return place ? [id, ...ownersOf(document, place.list).map((owner) => owner.id)] : []
}

/** The ends of a selection that includes two blocks: the blocks, or their containers that share a list. */
export function selectionEnds(document: EmailDocument, from: string, to: string): { from: string; to: string } {
  for (const start of withOwners(document, from)) {
    const list = placeOf(document, start)!.list
    const end = withOwners(document, to).find((id) => placeOf(document, id)!.list === list)
    if (end) return { from: start, to: end }
  }
  return { from: to, to }
}

/**
 * Moves adjacent blocks. `place` refers to the list before they are removed from it. Returns the same document if one of
 * them isn't allowed there.
 */
export function moveBlocks(document: EmailDocument, ids: readonly string[], place: Place): EmailDocument {
  const blocks = blocksBetween(document, ids[0], ids.at(-1))
  const from = blocks[0] && placeOf(document, blocks[0].id)
  if (!from || !blocks.every((block) => canContain(document, place.list, block))) return document
  const isSameList = from.list === place.list
  if (isSameList && place.index >= from.index && place.index <= from.index + blocks.length) return document
  const index = isSameList && place.index > from.index ? place.index - blocks.length : place.index
  return insertBlocks(removeBlocks(document, ids), { list: place.list, index }, blocks)
}

export type Direction = 'up' | 'down' | 'in' | 'out'

/**
 * Where a key moves adjacent blocks. Up and down move within the list, and out of it at its ends. In and out move to the
 * list beside it, such as the next column; if there is none, into the nearest container or out of the current one.
 */
export function placeTowards(document: EmailDocument, ids: readonly string[], direction: Direction): Place | undefined {
  const moved = blocksBetween(document, ids[0], ids.at(-1))
  const from = moved[0] && placeOf(document, moved[0].id)
  if (!from) return undefined
  const { blocks, owner } = findList(document, from.list)!
  const end = from.index + moved.length
  const around = owner && placeOf(document, owner.id)!
  const before = around && { list: around.list, index: around.index }
  const after = around && { list: around.list, index: around.index + 1 }
  if (direction === 'up') return from.index > 0 ? { ...from, index: from.index - 1 } : before
  if (direction === 'down') return end < blocks.length ? { ...from, index: end + 1 } : after

  const siblings = owner ? listsIn(owner) : []
  const at = siblings.findIndex(({ id }) => id === from.list)
  const beside = siblings[at + (direction === 'in' ? 1 : -1)]
  if (owner && beside) return { list: beside.id, index: Math.min(from.index, beside.blocks.length) }
  if (direction === 'out') return after
  for (const neighbor of [blocks[from.index - 1], blocks[end]]) {
    const inside =
      neighbor && listsIn(neighbor).find((list) => moved.every((block) => canContain(document, list.id, block)))
    if (inside) return { list: inside.id, index: neighbor === blocks[from.index - 1] ? inside.blocks.length : 0 }
  }
  return undefined
}

/** The same blocks with new IDs, so that a copy can be in the document of the original. */
const copyOf = (block: Block): Block => {
  const copy = { ...structuredClone(block), id: newId() }
  if (copy.type === 'columns') {
    const columns = copy.columns.map((one): Column => ({ ...one, id: newId(), blocks: one.blocks.map(copyOf) }))
    return { ...copy, columns }
  }
  if (copy.type === 'loop') return { ...copy, blocks: copy.blocks.map(copyOf) }
  if (copy.type !== 'condition') return copy
  return {
    ...copy,
    blocks: copy.blocks.map(copyOf),
    ...(copy.otherwise ? { otherwise: copy.otherwise.map(copyOf) } : undefined),
  }
}

/** The first place after a block where another one is allowed: after it, or after one of its containers. */
function placeAfter(document: EmailDocument, id: string | undefined, added: Block): Place {
  const place = id === undefined ? undefined : placeOf(document, id)
  if (!place) return { list: ROOT, index: document.blocks.length }
  if (canContain(document, place.list, added)) return { list: place.list, index: place.index + 1 }
  return placeAfter(document, findList(document, place.list)?.owner?.id, added)
}

/**
 * A new block fills the first empty list of the selected container, or is placed after the selected block. Otherwise it
 * is the last one, above the footer.
 */
export function placeForNew(document: EmailDocument, selected: string | undefined, added: Block): Place {
  const block = findBlock(document, selected)
  const empty = block && listsIn(block).find(({ id, blocks }) => blocks.length === 0 && canContain(document, id, added))
  if (empty) return { list: empty.id, index: 0 }
  if (block || document.blocks.at(-1)?.type !== 'footer') return placeAfter(document, selected, added)
  return { list: ROOT, index: document.blocks.length - 1 }
}

/** Adds blocks after the selected one. Each may end up in a different list, depending on what contains it. */
export function pasteBlocks(document: EmailDocument, after: string | undefined, copied: readonly Block[]) {
  const added = copied.map(copyOf)
  let last = after
  let pasted = document
  for (const block of added) {
    pasted = insertBlocks(pasted, placeAfter(pasted, last, block), [block])
    last = block.id
  }
  return { document: pasted, ids: added.map(({ id }) => id) }
}

const COLUMNS_MAX = 4

/** More columns are added empty; the blocks of removed columns are kept in the last one. */
export function withColumnCount(columns: readonly Column[], count: number): Column[] {
  const wanted = Math.min(COLUMNS_MAX, Math.max(1, count))
  if (wanted >= columns.length) {
    const added = Array.from({ length: wanted - columns.length }, () => ({ id: newId(), blocks: [] }))
    return [...columns, ...added].map(({ id, blocks }) => ({ id, blocks }))
  }
  const kept = columns.slice(0, wanted).map(({ id, blocks }) => ({ id, blocks }))
  const rest = columns.slice(wanted).flatMap(({ blocks }) => blocks)
  return kept.map((one, i) => (i === wanted - 1 ? { ...one, blocks: [...one.blocks, ...rest] } : one))
}
