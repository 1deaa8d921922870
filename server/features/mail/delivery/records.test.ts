import { describe, expect, it } from 'vitest'
import { createRecords } from './records.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

const sqlError = (code: string) => Object.assign(new Error(`refused with ${code}`), { code })

describe('recordSurely', () => {
  it.each(['40P01', '40001', '57014', '55P03', '53200', '57P01'])(
    'repeats a write that failed with %s',
    async (code) => {
      const { recordSurely } = createRecords(1)
      let writes = 0
      await recordSurely(async () => {
        if (++writes < 3) throw sqlError(code)
      })
      expect(writes).toBe(3)
    },
  )

  it('does not repeat a write that fails every time', async () => {
    const { recordSurely, allRecorded } = createRecords(1)
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

describe('untilRecorded', () => {
  it('begins no more emails than can be sent in parallel until earlier ones are recorded, the most urgent first', async () => {
    const { untilRecorded } = createRecords(2)
    const begun: string[] = []
    const finish = new Map<string, () => void>()
    const start = (name: string, priority: number) =>
      untilRecorded(priority, 'a', () => {
        begun.push(name)
        return new Promise<void>((resolve) => finish.set(name, resolve))
      })
    const all = [start('first', 20), start('second', 20), start('campaign', 20), start('urgent', 0)]
    await settled()
    expect(begun).toEqual(['first', 'second'])
    finish.get('second')!()
    await settled()
    expect(begun).toEqual(['first', 'second', 'urgent'])
    finish.get('first')!()
    await settled()
    expect(begun).toEqual(['first', 'second', 'urgent', 'campaign'])
    for (const name of ['urgent', 'campaign']) finish.get(name)!()
    await Promise.all(all)
  })

  it('starts the next email after a failure', async () => {
    const { untilRecorded } = createRecords(1)
    await expect(untilRecorded(0, 'a', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(await untilRecorded(0, 'a', async () => 'sent')).toBe('sent')
  })
})
