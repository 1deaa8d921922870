/**
 * The same traffic in two forms: as HTTP bodies and as calls of the underlying queries. One in ten requests of each
 * caller names a new contact; of the others, half change the contact's data and half change nothing.
 */
import { CompiledQuery } from 'kysely'
import '../server/app.ts' // sets who reacts to events
import { newPerson } from '../server/features/audience/contacts/actions.ts'
import type { ContactUpsert } from '../server/features/audience/contacts/queries.ts'
import { trackEvents } from '../server/features/audience/events/queries.ts'
import { insertEmails } from '../server/features/mail/outbox/accept-queries.ts'
import { newId } from '../server/kernel/ids.ts'
import type { Database } from '../server/platform/database/connection/connect.ts'
import { PRIORITY } from '../server/platform/queue/catalogue.ts'
import { deriveSecrets } from '../server/platform/secrets.ts'

const REQUESTS_PER_CALLER = 300

export interface Traffic {
  path: string
  key: 'publicKey' | 'secretKey'
  bodies(callers: number, round: string): string[][]
  calls(callers: number, round: string, projectId: string): Array<Array<(db: Database) => Promise<unknown>>>
}

interface Visit {
  email: string
  data: { plan: string; visits: number }
}

/** Existing contacts are the same in every round, so that only the warm-up of the first one creates them. */
function visitsOf(caller: number, round: string): Visit[] {
  return Array.from({ length: REQUESTS_PER_CALLER }, (_, n) => ({
    email: n % 10 === 0 ? `new-${round}-${caller}-${n}@example.org` : `known-${caller}-${n % 50}@example.org`,
    data: { plan: 'pro', visits: n % 2 === 0 ? n : 1 },
  }))
}

const perCaller = <T>(callers: number, round: string, make: (visit: Visit) => T): T[][] =>
  Array.from({ length: callers }, (_, caller) => visitsOf(caller, round).map(make))

const upsertOf = (
  projectId: string,
  { email, data }: Visit,
  now: Date,
  subscribedByDefault: boolean,
): ContactUpsert => ({
  projectId,
  now,
  people: [newPerson(now, email, data, undefined)],
  subscribedByDefault,
  removed: [],
  cause: { source: 'api' },
})

export const tracking: Traffic = {
  path: '/v1/track',
  key: 'publicKey',
  bodies: (callers, round) =>
    perCaller(callers, round, ({ email, data }) => JSON.stringify({ email, event: 'page.viewed', data })),
  calls: (callers, round, projectId) =>
    perCaller(callers, round, (visit) => (db) => {
      const now = new Date()
      const upsert = upsertOf(projectId, visit, now, true)
      return trackEvents(db, [
        { upsert, id: newId(now), name: 'page.viewed', data: visit.data, idempotencyKey: undefined },
      ])
    }),
}

/** The minimum such a request needs in the database: one contact and one row about it. */
export const minimalCalls = (callers: number, round: string): Array<Array<(db: Database) => Promise<unknown>>> =>
  perCaller(callers, round, ({ email, data }) => {
    const json = JSON.stringify(data)
    return (db) => db.executeQuery(CompiledQuery.raw(MINIMAL, [email, json]))
  })

const MINIMAL = `/* bare-upsert-and-insert */
  with contact as (
    insert into bare.contacts (email, data) values ($1, $2) on conflict (email) do update set data = excluded.data returning id
  )
  insert into bare.events (contact_id, data) select id, $2 from contact`

export const MINIMAL_TABLES = `
  drop schema if exists bare cascade;
  create schema bare;
  create table bare.contacts (id bigint generated always as identity primary key, email text not null unique, data jsonb not null);
  create table bare.events (id bigint generated always as identity primary key, contact_id bigint not null, data jsonb not null)`

const UNENCRYPTED = deriveSecrets('for the bench only')
const FROM = 'shop@example.com'
const SUBJECT = 'Your order, {{ plan }} member'
const BODY = `<html><body><h1>Thank you</h1>${'<p>This is visit number {{ visits }} of {{ email }}.</p>'.repeat(20)}</body></html>`

export const sending: Traffic = {
  path: '/v1/send',
  key: 'secretKey',
  bodies: (callers, round) =>
    perCaller(callers, round, ({ email, data }) =>
      JSON.stringify({ to: email, from: FROM, subject: SUBJECT, body: BODY, data }),
    ),
  calls: (callers, round, projectId) =>
    perCaller(callers, round, (visit) => (db) => {
      const now = new Date()
      return insertEmails(db, UNENCRYPTED, [
        {
          upsert: upsertOf(projectId, visit, now, false),
          content: {
            id: newId(now),
            subject: SUBJECT,
            body: BODY,
            type: 'TRANSACTIONAL',
            attachments: [],
            literal: false,
            plain: null,
          },
          envelope: {
            fromEmail: FROM,
            fromDomain: 'example.com',
            fromName: null,
            replyTo: null,
            headers: {},
            variables: visit.data,
            subject: null,
            templateId: null,
          },
          recipients: [{ emailId: newId(now), email: visit.email, name: null }],
          origin: { via: 'api', keyId: null },
          options: {},
          idempotencyKey: undefined,
          priority: PRIORITY.transactional,
        },
      ])
    }),
}
