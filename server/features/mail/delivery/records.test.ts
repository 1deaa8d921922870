import { describe, expect, it } from 'vitest'
import { createRecords } from './records.ts'

const sqlError = (code: string) => Object.assign(new Error(`refused with ${code}`), { code })

describe('recordSurely', () => {
  it.each(['40P01', '40001', '57014', '55P03', '53200', '57P01'])(
    'repeats a write that failed with %s',
    async (code) => {
      const { recordSurely } = createRecords()
      let writes = 0
      await recordSurely(async () => {
        if (++writes < 3) throw sqlError(code)
      })
      expect(writes).toBe(3)
    },
  )

  it('does not repeat a write that fails every time', async () => {
    const { recordSurely, allRecorded } = createRecords()
    let writes = 0
    const write = async () => {
      writes++
      throw sqlError('22P05')
    }
    await expect(recordSurely(write)).rejects.toThrow('22P05')
    await allRecorded()
    expect(writes).toBe(1)
  })
})
