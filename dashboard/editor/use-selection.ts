/** The selected blocks: one, or several adjacent ones from where the selection started to the active block. */
import { useState } from 'react'
import type { EmailDocument } from './document/document.ts'
import { blocksBetween, findList, placeOf, selectionEnds } from './document/edits.ts'

export function useSelection(document: EmailDocument) {
  const [active, setActive] = useState<string>()
  const [start, setStart] = useState<string>()
  const blocks = blocksBetween(document, start, active)
  const select = (id: string | undefined, from?: string) => {
    setActive(id)
    setStart(from)
  }
  // Undo can remove the active block.
  if (active !== undefined && blocks.length === 0) select(undefined)

  /** Extends the selection to a block. Returns the new active block and the selected blocks. */
  const extendTo = (id: string) => {
    const ends = active === undefined ? { from: id, to: id } : selectionEnds(document, start ?? active, id)
    select(ends.to, ends.from)
    return { id: ends.to, count: blocksBetween(document, ends.from, ends.to).length }
  }
  /** The block of the same list that Shift with an arrow key extends the selection to. */
  const neighborOf = (to: 'previous' | 'next' | 'first' | 'last'): string | undefined => {
    const place = active === undefined ? undefined : placeOf(document, active)
    const list = place && findList(document, place.list)!.blocks
    return list?.at({ previous: Math.max(0, place!.index - 1), next: place!.index + 1, first: 0, last: -1 }[to])?.id
  }
  return { active, blocks, select, extendTo, neighborOf }
}
