/**
 * Rows for the suite `growth`, inserted in large statements into the real tables, with their triggers. The id of a contact
 * follows from its number, so that events and emails find it without reading it.
 */
import type pg from 'pg'

const EVENTS_PER_CONTACT = 10
const EVENT_NAMES = 40
const CONTACTS_AT_ONCE = 20_000

/** A project has the contacts 0 to `from` - 1 and gets those up to `to` - 1, their emails, and events of all of them. */
export async function fillProject(client: pg.Client, projectId: string, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += CONTACTS_AT_ONCE) {
    const end = Math.min(first + CONTACTS_AT_ONCE, to)
    await client.query(CONTACTS, [projectId, first, end])
    await client.query(EMAILS, [projectId, first, end, from, to])
    await client.query(EVENTS, [projectId, first, end, from, to, EVENTS_PER_CONTACT, EVENT_NAMES])
  }
}

export const emailOf = (contact: number): string => `user${contact}@mail${contact % 5000}.example.org`

/** Ascending with the number, like ids in production. */
const contactId = (n: string) =>
  `(lpad(to_hex(1700000000000 + ${n}), 12, '0') || '70008000' || lpad(to_hex(${n}), 12, '0'))::uuid`

export const contactIdOf = (contact: number): string => {
  const hex = `${(1_700_000_000_000 + contact).toString(16).padStart(12, '0')}70008000${contact.toString(16).padStart(12, '0')}`
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const CONTACTS = `
  insert into contacts (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at)
  select $1, ${contactId('i')}, 'user' || i || '@mail' || i % 5000 || '.example.org', i % 5 > 0, true,
    jsonb_build_object('plan', (array['free','pro','team'])[1 + i % 3], 'age', i % 80), now(), now()
  from generate_series($2::bigint, $3::bigint - 1) i`

/** At each step over the last 28 days. */
const moment = (place: string, rows: string) =>
  `date_trunc('milliseconds', now() - interval '28 days' * (1 - (${place})::float8 / (${rows})))`

/** The emails of a statement share a content, like those of a campaign. Every tenth bounced. */
const EMAILS = `
  with content as (
    insert into email_contents (project_id, id, subject, body, created_at)
    select $1, id_at(now(), 0), 'Your order', repeat('<p>The quick brown fox jumps over the lazy dog.</p>', 80), now() returning id
  )
  insert into emails (project_id, id, contact_id, content_id, to_email, subject, from_email, message_id, source_type, status,
    sent_at, delivered_at, bounced_at, created_at, updated_at)
  select $1, id_at(at, i), ${contactId('i')}, content.id, 'user' || i || '@mail' || i % 5000 || '.example.org', 'Your order',
    'shop@example.com', i || '@example.com', 'TRANSACTIONAL', case when i % 10 = 0 then 'BOUNCED' else 'DELIVERED' end,
    at, case when i % 10 > 0 then at end, case when i % 10 = 0 then at end, at, at
  from generate_series($2::bigint, $3::bigint - 1) i, content, lateral (select ${moment('i - $4', '$5::bigint - $4::bigint')} as at) as sent`

/** Some names are frequent, most are not. */
const EVENTS = `
  insert into events (project_id, id, name, contact_id, data, created_at)
  select $1, id_at(at, j % 4096), 'event-' || floor(power((j * 7919 % 1000) / 1000.0, 3) * $7), ${contactId('(j * 31 % $5::bigint)')},
    '{"page": "/pricing"}', at
  from generate_series($2::bigint * $6, $3::bigint * $6 - 1) j,
    lateral (select ${moment('j - $4::bigint * $6', '($5::bigint - $4::bigint) * $6')} as at) as happened`
