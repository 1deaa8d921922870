import { describe, expect, it } from 'vitest'
import type { Block, EmailDocument } from './document.ts'
import * as edits from './edits.ts'

const spacer = (id: string): Block => ({ id, type: 'spacer', height: 20 })
const columns = (id: string, ...lists: Block[][]): Block => ({
  id,
  type: 'columns',
  columns: lists.map((blocks, i) => ({ id: `${id}-${i + 1}`, blocks })),
})
const condition = (id: string, blocks: Block[], otherwise?: Block[]): Block => ({
  id,
  type: 'condition',
  if: { variable: 'plan', operator: 'exists' },
  blocks,
  ...(otherwise ? { otherwise } : undefined),
})
const loop = (id: string, blocks: Block[]): Block => ({ id, type: 'loop', list: 'items', item: 'item', blocks })
const email = (...blocks: Block[]): EmailDocument => ({ version: 1, blocks })

/** The IDs of a document, with the lists inside a block in brackets. */
const outline = (blocks: readonly Block[]): string =>
  blocks
    .map((block) => {
      const lists = edits.listsIn(block).map((list) => outline(list.blocks))
      return lists.length > 0 ? `${block.id}(${lists.join(' | ')})` : block.id
    })
    .join(' ')
const outlineOf = ({ blocks }: EmailDocument) => outline(blocks)

const START = email(
  spacer('a'),
  columns('cols', [spacer('b'), spacer('c')], [spacer('d')]),
  condition('if', [spacer('e')], [spacer('f')]),
  loop('each', [condition('inner', [spacer('g')])]),
  spacer('h'),
)

it.each([
  ['a', undefined],
  ['d', 'cols'],
  ['f', 'if'],
  ['g', 'inner'],
])('the owner of %s is %s', (id, owner) => {
  expect(edits.ownerOf(START, id)?.id).toBe(owner)
})

describe('moveBlocks', () => {
  it.each([
    ['a', 'email', 5, 'cols(b c | d) if(e | f) each(inner(g)) h a'],
    ['h', 'email', 0, 'h a cols(b c | d) if(e | f) each(inner(g))'],
    ['a', 'cols-1', 1, 'cols(b a c | d) if(e | f) each(inner(g)) h'],
    ['b', 'cols-1', 2, 'a cols(c b | d) if(e | f) each(inner(g)) h'],
    ['b', 'cols-2', 1, 'a cols(c | d b) if(e | f) each(inner(g)) h'],
    ['a', 'if.otherwise', 0, 'cols(b c | d) if(e | a f) each(inner(g)) h'],
    ['cols', 'inner.blocks', 0, 'a if(e | f) each(inner(cols(b c | d) g)) h'],
    ['if', 'each.blocks', 1, 'a cols(b c | d) each(inner(g) if(e | f)) h'],
    ['g', 'email', 0, 'g a cols(b c | d) if(e | f) each(inner()) h'],
  ])('moves %s into the list %s at position %d', (id, list, index, expected) => {
    expect(outlineOf(edits.moveBlocks(START, [id], { list, index }))).toBe(expected)
  })

  it.each([
    ['columns into a column', 'cols', 'cols-1'],
    ['a condition into a column', 'if', 'cols-2'],
    ['a block into itself', 'each', 'inner.blocks'],
    ['a condition into the second level of logic', 'if', 'inner.blocks'],
    ['two levels of logic into a condition', 'each', 'if.blocks'],
  ])("doesn't move %s", (_, id, list) => {
    expect(edits.moveBlocks(START, [id], { list, index: 0 })).toBe(START)
  })

  it('changes nothing if the block is already there', () => {
    expect(edits.moveBlocks(START, ['cols'], { list: 'email', index: 1 })).toBe(START)
    expect(edits.moveBlocks(START, ['cols'], { list: 'email', index: 2 })).toBe(START)
  })
})

describe('placeTowards', () => {
  it.each([
    ['a', 'down', 'cols(b c | d) a if(e | f) each(inner(g)) h'],
    ['h', 'up', 'a cols(b c | d) if(e | f) h each(inner(g))'],
    ['b', 'up', 'a b cols(c | d) if(e | f) each(inner(g)) h'],
    ['c', 'down', 'a cols(b | d) c if(e | f) each(inner(g)) h'],
    ['c', 'in', 'a cols(b | d c) if(e | f) each(inner(g)) h'],
    ['d', 'out', 'a cols(d b c | ) if(e | f) each(inner(g)) h'],
    ['b', 'out', 'a cols(c | d) b if(e | f) each(inner(g)) h'],
    ['a', 'in', 'cols(a b c | d) if(e | f) each(inner(g)) h'],
    ['h', 'in', 'a cols(b c | d) if(e | f) each(inner(g) h)'],
    ['e', 'in', 'a cols(b c | d) if( | e f) each(inner(g)) h'],
    ['g', 'out', 'a cols(b c | d) if(e | f) each(inner() g) h'],
  ] as const)('%s moves %s', (id, direction, expected) => {
    expect(outlineOf(edits.moveBlocks(START, [id], edits.placeTowards(START, [id], direction)!))).toBe(expected)
  })

  it.each([
    ['a', 'up'],
    ['h', 'down'],
    ['a', 'out'],
  ] as const)('%s has no place %s', (id, direction) => {
    const place = edits.placeTowards(START, [id], direction)
    expect(place === undefined || edits.moveBlocks(START, [id], place) === START).toBe(true)
  })
})

describe('blocks that are selected together', () => {
  it.each([
    ['a', 'cols', ['a', 'cols']],
    ['h', 'if', ['if', 'each', 'h']],
    ['b', 'c', ['b', 'c']],
    ['b', 'd', ['d']],
    [undefined, 'a', ['a']],
    ['removed', 'a', ['a']],
    ['a', 'removed', []],
  ])('from %s to %s are %j', (from, to, expected) => {
    expect(edits.blocksBetween(START, from, to).map(({ id }) => id)).toEqual(expected)
  })

  it.each([
    ['a', 'd', { from: 'a', to: 'cols' }],
    ['d', 'a', { from: 'cols', to: 'a' }],
    ['b', 'c', { from: 'b', to: 'c' }],
    ['b', 'd', { from: 'cols', to: 'cols' }],
    ['g', 'e', { from: 'each', to: 'if' }],
  ])('from %s to %s extend to blocks of one list: %j', (from, to, expected) => {
    expect(edits.selectionEnds(START, from, to)).toEqual(expected)
  })

  it.each([
    [['a', 'cols'], 'down', 'if(e | f) a cols(b c | d) each(inner(g)) h'],
    [['if', 'each'], 'up', 'a if(e | f) each(inner(g)) cols(b c | d) h'],
    [['b', 'c'], 'up', 'a b c cols( | d) if(e | f) each(inner(g)) h'],
    [['b', 'c'], 'in', 'a cols( | b c d) if(e | f) each(inner(g)) h'],
    [['b', 'c'], 'out', 'a cols( | d) b c if(e | f) each(inner(g)) h'],
  ] as const)('%j move %s', (ids, direction, expected) => {
    expect(outlineOf(edits.moveBlocks(START, ids, edits.placeTowards(START, ids, direction)!))).toBe(expected)
  })

  it("don't move into a list that can't contain one of them, or to where they already are", () => {
    expect(edits.moveBlocks(START, ['a', 'cols'], { list: 'cols-2', index: 0 })).toBe(START)
    expect(edits.moveBlocks(START, ['a', 'cols', 'if'], { list: 'inner.blocks', index: 0 })).toBe(START)
    for (const index of [1, 2, 3]) expect(edits.moveBlocks(START, ['cols', 'if'], { list: 'email', index })).toBe(START)
  })

  it('are removed together', () => {
    expect(outlineOf(edits.removeBlocks(START, ['cols', 'if']))).toBe('a each(inner(g)) h')
  })
})

describe('pasteBlocks', () => {
  const copied = (id: string) => [edits.findBlock(START, id)!]

  it.each([
    ['after the selected block', 'b', copied('a'), 2, 'cols-1'],
    ['at the end if nothing is selected', undefined, copied('a'), 5, 'email'],
    ['after the columns if a column is selected and columns are pasted', 'b', copied('cols'), 2, 'email'],
    ['after the logic that is too deep', 'g', copied('each'), 4, 'email'],
  ])('pastes %s', (_, after, blocks, index, list) => {
    const { document, ids } = edits.pasteBlocks(START, after, blocks)
    const place = edits.placeOf(document, ids[0]!)
    expect(place).toEqual({ list, index: list === 'cols-1' ? 1 : index })
  })

  it('gives every copy a new ID, including blocks and columns inside it', () => {
    const { document } = edits.pasteBlocks(START, 'h', START.blocks)
    const columnIds = edits.allBlocks(document).flatMap((one) => (one.type === 'columns' ? one.columns : []))
    const ids = [...edits.allBlocks(document), ...columnIds].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(edits.allBlocks(document)).toHaveLength(2 * edits.allBlocks(START).length)
  })
})

describe('placeForNew', () => {
  const document = email(columns('cols', [spacer('a')], []), condition('if', []))

  it.each([
    ['the empty column of selected columns', 'cols', spacer('new'), { list: 'cols-2', index: 0 }],
    ['after the selected block', 'a', spacer('new'), { list: 'cols-1', index: 1 }],
    ['after columns that cannot contain it', 'cols', columns('new', []), { list: 'email', index: 1 }],
    ['inside an empty condition', 'if', columns('new', []), { list: 'if.blocks', index: 0 }],
    ['at the end if nothing is selected', undefined, spacer('new'), { list: 'email', index: 2 }],
  ])('a new block is placed %s', (_, selected, added, place) => {
    expect(edits.placeForNew(document, selected, added)).toEqual(place)
  })

  it('a new block is placed above the footer if nothing is selected', () => {
    const withFooter = email(spacer('a'), { id: 'end', type: 'footer' })
    expect(edits.placeForNew(withFooter, undefined, spacer('new'))).toEqual({ list: 'email', index: 1 })
    expect(edits.placeForNew(withFooter, 'end', spacer('new'))).toEqual({ list: 'email', index: 2 })
  })
})

describe('updateBlock', () => {
  it('changes a nested block and leaves out fields that are undefined', () => {
    const changed = edits.updateBlock(START, 'g', { height: 8, background: undefined })
    expect(edits.findBlock(changed, 'g')).toStrictEqual({ id: 'g', type: 'spacer', height: 8 })
    expect(outlineOf(changed)).toBe(outlineOf(START))
  })
})

describe('removeBlocks', () => {
  it.each([
    ['c', 'a cols(b | d) if(e | f) each(inner(g)) h'],
    ['each', 'a cols(b c | d) if(e | f) h'],
  ])('removes %s with everything in it', (id, expected) => {
    expect(outlineOf(edits.removeBlocks(START, [id]))).toBe(expected)
  })
})

describe('withColumnCount', () => {
  const three = [[spacer('a')], [spacer('b')], [spacer('c')]].map((blocks, i) => ({ id: `${i}`, width: 30, blocks }))

  it.each([
    [1, ['a b c']],
    [2, ['a', 'b c']],
    [3, ['a', 'b', 'c']],
    [4, ['a', 'b', 'c', '']],
    [9, ['a', 'b', 'c', '']],
  ])('%d columns keep all blocks', (count, expected) => {
    expect(edits.withColumnCount(three, count).map(({ blocks }) => outline(blocks))).toEqual(expected)
  })
})
