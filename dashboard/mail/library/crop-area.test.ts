import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Area, HANDLES, moveArea, resizeArea, whole } from './crop-area.ts'

const IMAGE = { width: 600, height: 400 }
const AREA = { x: 100, y: 100, width: 200, height: 100 }

describe('the rectangle of a crop', () => {
  it('is moved as far as the image reaches', () => {
    expect(moveArea(AREA, 10, -20, IMAGE)).toEqual({ ...AREA, x: 110, y: 80 })
    expect(moveArea(AREA, 1_000, 1_000, IMAGE)).toEqual({ ...AREA, x: 400, y: 300 })
    expect(moveArea(whole(IMAGE), 5, 5, IMAGE)).toEqual(whole(IMAGE))
  })

  it('is resized at the edges that a handle is on, while the opposite ones stay', () => {
    expect(resizeArea(AREA, 'nw', -10, 20, IMAGE)).toEqual({ x: 90, y: 120, width: 210, height: 80 })
    expect(resizeArea(AREA, 'e', 30, 99, IMAGE)).toEqual({ ...AREA, width: 230 })
    expect(resizeArea(AREA, 's', 99, -30, IMAGE)).toEqual({ ...AREA, height: 70 })
    expect(resizeArea(AREA, 'se', 1_000, -1_000, IMAGE)).toEqual({ x: 100, y: 100, width: 500, height: 8 })
  })

  it('always stays inside of the image with whole pixels, and never becomes empty', () => {
    const by = fc.double({ min: -2_000, max: 2_000, noNaN: true })
    const step = fc.record({ handle: fc.constantFrom(...HANDLES, undefined), dx: by, dy: by })
    const size = fc.record({ width: fc.integer({ min: 1, max: 900 }), height: fc.integer({ min: 1, max: 900 }) })
    fc.assert(
      fc.property(size, fc.array(step), (image, steps) => {
        let area: Area = whole(image)
        for (const { handle, dx, dy } of steps)
          area = handle ? resizeArea(area, handle, dx, dy, image) : moveArea(area, dx, dy, image)
        const { x, y, width, height } = area
        expect([x, y, width, height].every(Number.isInteger)).toBe(true)
        expect(Math.min(x, y, width - 1, height - 1)).toBeGreaterThanOrEqual(0)
        expect(x + width).toBeLessThanOrEqual(image.width)
        expect(y + height).toBeLessThanOrEqual(image.height)
      }),
    )
  })
})
