/** For tests of steps: a project with workflows for each file, and people who enter them. */
import { afterAll, beforeAll } from 'vitest'
import { DAY, type Fixture, openFixture } from '../workflows/workflow-fixture.ts'

export const EXIT = ['EXIT', { reason: 'end' }] as const

const addressOf = (person: number) => `person${person}@example.org`

export function useSteps() {
  let fixture: Fixture
  let people = 0
  beforeAll(async () => {
    fixture = await openFixture()
    // The queue uses the clock of the database, which keeps running: it must not overtake the test's clock within the shortest delay.
    fixture.app.clock.forward(DAY)
  })
  afterAll(() => fixture.app.close())

  const read: Fixture['read'] = (path) => fixture.read(path)
  const ask: Fixture['ask'] = (...call) => fixture.ask(...call)
  const template: Fixture['template'] = (fields) => fixture.template(fields)
  const start: Fixture['start'] = (...call) => fixture.start(...call)
  return {
    opened: () => fixture,
    read,
    ask,
    template,
    start,
    someone: (fields: object = {}) => fixture.contact(addressOf(++people), fields),
    /** The address of the last person, or of the one who will be created next. */
    lastAddress: () => addressOf(people),
    nextAddress: () => addressOf(people + 1),
    emailsOf: async (contactId: string) => (await read(`/emails?contactId=${contactId}`)).data,
  }
}
