import { expect, it } from 'vitest'
import { createLateSources } from './late-sources.ts'

const SLOW = '{% for a in b %}{% endfor %}'

function open() {
  let time = 0
  const late = createLateSources(() => time)
  const pass = (ms: number) => {
    time += ms
  }
  return { ...late, pass }
}

it('refuses a source of a project for a minute after it was late three times in a row', () => {
  const { refusalOf, recordLate, pass } = open()
  for (let i = 0; i < 3; i++) {
    expect(refusalOf('a', SLOW)).toBeUndefined()
    recordLate('a', SLOW)
  }
  expect(refusalOf('a', SLOW)).toMatchObject({ reason: 'time', message: expect.stringContaining('after a minute') })
  expect(refusalOf('a', `${SLOW}!`)).toBeUndefined()
  expect(refusalOf('b', SLOW)).toBeUndefined()
  pass(60_000)
  expect(refusalOf('a', SLOW)).toBeUndefined()
})

it('does not refuse a source that is rendered in time now and then', () => {
  const { refusalOf, recordLate, recordInTime } = open()
  for (let i = 0; i < 10; i++) {
    recordLate('a', SLOW)
    recordLate('a', SLOW)
    recordInTime('a', SLOW)
  }
  expect(refusalOf('a', SLOW)).toBeUndefined()
})

it('remembers a limited number of sources', () => {
  const { refusalOf, recordLate } = open()
  for (let i = 0; i < 3; i++) recordLate('a', SLOW)
  for (let i = 0; i < 1_000; i++) recordLate('b', `${i}`)
  expect(refusalOf('a', SLOW)).toBeUndefined()
})
