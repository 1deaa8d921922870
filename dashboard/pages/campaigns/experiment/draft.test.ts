import { describe, expect, it } from 'vitest'
import { experimentOf, inputOf, newExperiment, newVariant, sameVariants, shareNeeded, testSize } from './draft.ts'

const stored = { subject: null, from: null, fromName: null, preheader: null, body: null, document: null }
const html = { editor: 'html' as const, body: '<p>B</p>', document: null, mjml: null }

describe('an experiment in the editor', () => {
  it('sends only what its variants differ in', () => {
    const experiment = newExperiment()
    const [first, second] = experiment.variants
    const variants = [
      { ...first!, preheader: 'hidden' },
      { ...second!, subject: 'Other', content: html },
    ]
    const none = { subject: null, from: null, fromName: null, preheader: null }
    expect(inputOf({ ...experiment, variants })).toEqual({
      variants: [
        { name: 'A', ...none },
        { name: 'B', ...none, subject: 'Other' },
      ],
      share: 20,
      metric: 'opens',
      conversionEvent: null,
      waitMinutes: 240,
      winner: 'automatic',
    })
    expect(inputOf({ ...experiment, variants, parts: ['content'] }).variants[1]).toEqual({
      name: 'B',
      ...none,
      body: '<p>B</p>',
    })
  })

  it('opens a saved one with the parts in which its variants differ', () => {
    const counts = { recipients: 0, sent: 0, opened: 0, clicked: 0, converted: 0, rate: 0, probabilityBest: 0.5 }
    const variants = [
      { name: 'A', ...stored, ...counts },
      { name: 'B', ...stored, ...counts, fromName: 'Ada', body: '<p>B</p>' },
    ]
    const saved = { variants, share: 10, metric: 'clicks', conversionEvent: null, waitMinutes: 60, selection: 'manual' }
    const draft = experimentOf(saved as never)
    expect(draft).toMatchObject({ parts: ['sender', 'content'], share: 10, winner: 'manual' })
    expect(draft.variants[1]).toMatchObject({ fromName: 'Ada', content: html })
    expect(inputOf(draft).variants[1]).toMatchObject({ fromName: 'Ada', body: '<p>B</p>', subject: null })
  })

  it('names new variants by the first free letter', () => {
    expect(newVariant([{ name: 'A' }, { name: 'C' }]).name).toBe('B')
  })

  it('finds variants that would send the same email', () => {
    const experiment = newExperiment()
    const [first, second] = experiment.variants
    expect(sameVariants(experiment)).toEqual(['A', 'B'])
    expect(sameVariants({ ...experiment, variants: [first!, { ...second!, subject: 'Other' }] })).toBeUndefined()
    // What is entered in a part that doesn't differ isn't sent.
    expect(sameVariants({ ...experiment, variants: [first!, { ...second!, preheader: 'Other' }] })).toEqual(['A', 'B'])
  })
})

it.each([
  [1_000, 20, 200, 10],
  [333, 50, 166, 31],
  [199, 50, 99, undefined],
  [0, 20, 0, undefined],
  [100_000, 5, 5_000, 5],
])(
  'an audience of %i with a share of %i%% has a test of %i, and at least %s%% are needed',
  (audience, share, size, needed) => {
    expect(testSize(audience, share)).toBe(size)
    expect(shareNeeded(audience)).toBe(needed)
  },
)
