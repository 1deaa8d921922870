/** Upgrading a database of Posthorn 0.1.0, in which graphile-worker has the queue: no job is lost. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { migrate, migrationNames } from '../../platform/database/schema/migrate.ts'
import { QUEUE_MIGRATION } from '../../platform/queue/job-table.ts'
import { dropDatabase } from '../test-databases.ts'

const name = `upgrade_${randomBytes(6).toString('hex')}`
const url = inject('postgresUrl').replace(/\/[^/]*$/, `/${name}`)
let client: pg.Client

async function admin(statement: string): Promise<void> {
  const server = new pg.Client({ connectionString: inject('postgresUrl') })
  await server.connect()
  await server.query(statement)
  await server.end()
}

const before = async () => (await migrationNames()).filter((migration) => migration < QUEUE_MIGRATION)

beforeAll(async () => {
  await admin(`create database ${name}`)
  await migrate(url, await before())
  client = new pg.Client({ connectionString: url })
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await dropDatabase(inject('postgresUrl'), name)
})

/** The columns of graphile-worker 0.17, and those that Posthorn 0.1.0 added. */
const LIBRARY = `
  create schema graphile_worker;
  create table graphile_worker._private_tasks (
    id int generated always as identity primary key, identifier text not null unique);
  create table graphile_worker._private_jobs (
    id bigint generated always as identity primary key, job_queue_id int, task_id int not null,
    payload json not null default '{}', priority smallint not null default 0, run_at timestamptz not null default now(),
    attempts smallint not null default 0, max_attempts smallint not null default 25, last_error text,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now(), key text unique,
    locked_at timestamptz, locked_by text, revision int not null default 0, flags jsonb,
    is_available boolean generated always as (locked_at is null and attempts < max_attempts) stored not null);
  create schema posthorn_queue;
  create table posthorn_queue.workers (worker_id text primary key, lock_number int not null);
  create function posthorn_queue.add_job(text, json, timestamptz, int, int, text) returns bigint language sql return 1;
  insert into graphile_worker._private_tasks (identifier) values ('deliver-email'), ('start-campaign');
  insert into graphile_worker._private_jobs (task_id, payload, priority, run_at, attempts, max_attempts, last_error, key, locked_at, locked_by)
  values
    (1, '{"emailId":"waiting","odd":"\\u0000"}', 20, '2031-01-01T00:00:00.123456Z', 3, 25, 'greylisted', null, null, null),
    (2, '{"campaignId":"scheduled"}', 10, '2031-02-01T00:00:00Z', 0, 25, null, 'start:1', null, null),
    (1, '{"emailId":"running"}', 0, '2026-01-01T00:00:00Z', 1, 25, null, null, now(), 'posthorn-1'),
    (1, '{"emailId":"failed"}', 0, '2026-01-02T00:00:00Z', 25, 25, 'no route', null, null, null)`

describe('updating the queue of 0.1.0', () => {
  test('moves every job with its payload, priority, time, attempts and key, and drops the library’s schema', async () => {
    await client.query(LIBRARY)
    await migrate(url)
    const { rows } = await client.query(
      `select name, payload::text, priority, run_at::text as at, attempts, max_attempts as most, last_error as error, key, locked_by
       from posthorn_queue.jobs order by id`,
    )
    const common = { name: 'deliver-email', most: 25, error: null, key: null, locked_by: null }
    expect(rows.map(({ at: _at, ...row }) => row)).toEqual([
      { ...common, payload: '{"emailId":"waiting","odd":"\\u0000"}', priority: 20, attempts: 3, error: 'greylisted' },
      {
        ...common,
        name: 'start-campaign',
        payload: '{"campaignId":"scheduled"}',
        priority: 10,
        attempts: 0,
        key: 'start:1',
      },
      { ...common, payload: '{"emailId":"running"}', priority: 0, attempts: 1 },
      { ...common, payload: '{"emailId":"failed"}', priority: 0, attempts: 25, error: 'no route' },
    ])
    expect(rows.map(({ at }) => new Date(at).toISOString())).toEqual([
      '2031-01-01T00:00:00.123Z',
      '2031-02-01T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
      '2026-01-02T00:00:00.000Z',
    ])
    const left = await client.query(
      `select to_regnamespace('graphile_worker') as schema, to_regclass('posthorn_queue.workers') as workers`,
    )
    expect(left.rows).toEqual([{ schema: null, workers: null }])
  })
})
