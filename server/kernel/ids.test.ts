import { describe, expect, it } from 'vitest'
import { deriveId, firstIdAt, isId, newId } from './ids.ts'

const timeOfId = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))

describe('ids', () => {
  const at = new Date('2026-01-02T03:04:05.678Z')

  it('contain version 7, the RFC variant and their time', () => {
    const id = newId(at)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(timeOfId(id)).toEqual(at)
    expect(timeOfId(firstIdAt(at))).toEqual(at)
  })

  it('keep their order within a millisecond, even if more are created than the counter allows', () => {
    const ids = Array.from({ length: 10_000 }, () => newId(at))
    expect(new Set(ids).size).toBe(ids.length)
    expect([...ids].sort()).toEqual(ids)
  })

  it('have a lower bound that sorts before every id of that time', () => {
    expect(firstIdAt(at) < newId(at)).toBe(true)
    expect(firstIdAt(new Date(at.getTime() + 60_000)) > newId(at)).toBe(true)
  })

  it('can be derived from another id and a seed, as derive_id does in SQL', () => {
    const other = '019a0000-0000-0000-0000-000000000000'
    expect(deriveId(other, 'a seed')).toBe('019a0000-0000-7000-aee3-ac18507516ad')
    expect(deriveId(other, 'another seed')).not.toBe(deriveId(other, 'a seed'))
    expect(timeOfId(deriveId(other, 'a seed'))).toEqual(timeOfId(other))
  })

  it('are distinguished from other text', () => {
    expect(isId(newId(at))).toBe(true)
    expect(isId('lookup')).toBe(false)
    expect(isId(`${newId(at)}x`)).toBe(false)
  })
})
