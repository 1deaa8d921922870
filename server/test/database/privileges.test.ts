/** A role of DATABASE_URL that may not create what the migrations create gets the statements that allow it. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { migrate } from '../../platform/database/schema/migrate.ts'
import { asSuperuser, query } from '../fixtures/embedded-postgres-trial.ts'
import { dropDatabase } from '../test-databases.ts'

const server = inject('postgresUrl')
const name = `restricted_${randomBytes(6).toString('hex')}`
const superuser = asSuperuser(server).replace(/\/[^/]*$/, `/${name}`)
const url = Object.assign(new URL(superuser), { username: name, password: name }).toString()

beforeAll(async () => {
  await query(server, `create database ${name}`)
  await query(superuser, `create role ${name} login password '${name}'`)
})
afterAll(async () => {
  await dropDatabase(server, name)
  await query(asSuperuser(server), `drop role ${name}`)
})

/** Runs the statements that the error recommends. */
async function followAdvice(expected: string): Promise<void> {
  const error = await migrate(url).catch((error: Error) => error)
  const { message } = error as Error
  expect(message).toMatch(expected)
  await query(superuser, message.slice(message.indexOf('GRANT')))
}

it('a role that can create neither schemas nor tables is refused in one message, whose statements are sufficient', async () => {
  await followAdvice(
    `The role ${name} can't create schemas or tables in the database ${name}. As a superuser, run this in that database, then start again: GRANT CREATE ON DATABASE "${name}" TO "${name}"; GRANT USAGE, CREATE ON SCHEMA "public" TO "${name}";`,
  )
  await migrate(url)
})

it('a role that can no longer create tables or use the schema is refused', async () => {
  await query(superuser, `revoke create on schema public from ${name}`)
  await followAdvice(`The role ${name} can't create tables in the database ${name}.`)
  await query(superuser, `revoke all on schema public from ${name}, public`)
  await followAdvice(`GRANT USAGE, CREATE ON SCHEMA "public" TO "${name}";`)
  await migrate(url)
})
