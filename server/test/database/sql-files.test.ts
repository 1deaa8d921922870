/** Functions and triggers are declared in SQL files beside their features, and every database has exactly those. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeSchema } from '../../platform/database/schema/describe-schema.ts'
import { migrate, migrationNames, readSqlFiles } from '../../platform/database/schema/migrate.ts'
import { JOB_NAMES } from '../../platform/queue/catalogue.ts'
import { openTestDatabase } from '../harness.ts'
import { eventually } from '../service-process.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>
beforeEach(async () => {
  database = await openTestDatabase()
})
afterEach(() => database.close())

const query = async (text: string) => (await database.pool.query(text)).rows

/** Removes the record that a file was applied in its current form. */
const age = (name: string) => database.pool.query(`update sql_files set hash = 'older' where name = $1`, [name])

describe('migrate', () => {
  it('replaces older functions and triggers, and gives the schema of a new installation', async () => {
    const installed = await describeSchema(database.url)
    await database.pool.query(`
      create or replace function utc_day(at timestamptz) returns date language sql immutable as 'select null::date';
      create or replace trigger events_added after delete on events for each statement execute function record_upload_removals();
      drop trigger contacts_gone on contacts;
      drop function record_contacts_gone()`)
    expect(await describeSchema(database.url)).not.toBe(installed)
    for (const file of [
      'platform/database/functions.sql',
      'features/automation/executions/triggers.sql',
      'features/audience/contacts/triggers.sql',
    ]) {
      await age(file)
    }
    await migrate(database.url)
    expect(await describeSchema(database.url)).toBe(installed)
  })

  it('applies every file again after a migration, which may have replaced what they declare', async () => {
    const installed = await describeSchema(database.url)
    await database.pool.query(`
      create or replace function utc_day(at timestamptz) returns date language sql immutable as 'select null::date';
      drop function record_deliveries cascade;
      delete from migrations where name = '0064-job-names.sql'`)
    await migrate(database.url)
    expect(await describeSchema(database.url)).toBe(installed)
  })

  it('renames queued jobs and keeps their times and keys', async () => {
    await database.pool.query(`
      insert into posthorn_queue.job_kinds (name, priority, max_attempts, planned_at) values
        ('settle-campaign', 10, 25, null), ('tend-campaigns', 30, 10, '2026-11-16T09:00:00Z'), ('deliver-email', 0, 25, null),
        ('take-notification', 10, 25, null)
      on conflict (name) do nothing;
      select posthorn_queue.add_job('settle-campaign', '{"campaignId": "c"}', '2026-11-17T10:00:00Z', 'settle:c');
      select posthorn_queue.add_job('tend-campaigns', '{}', '2026-11-16T09:00:00Z', 'timetable:tend-campaigns');
      select posthorn_queue.add_job('deliver-email', '{}', '2026-11-16T09:00:00Z', 'settle:x');
      select posthorn_queue.add_job('take-notification', '{"messageId": "m"}', '2026-11-16T09:00:00Z');
      delete from posthorn_queue.job_kinds where name = 'recover-campaigns';
      delete from migrations where name in ('0064-job-names.sql', '0069-notification-job.sql')`)
    await migrate(database.url)
    expect(await query('select name, payload, run_at, key from posthorn_queue.jobs order by id')).toEqual([
      {
        name: 'complete-campaign',
        payload: { campaignId: 'c' },
        run_at: new Date('2026-11-17T10:00:00Z'),
        key: 'complete:c',
      },
      {
        name: 'recover-campaigns',
        payload: {},
        run_at: new Date('2026-11-16T09:00:00Z'),
        key: 'timetable:recover-campaigns',
      },
      { name: 'deliver-email', payload: {}, run_at: new Date('2026-11-16T09:00:00Z'), key: 'settle:x' },
      {
        name: 'process-notification',
        payload: { messageId: 'm' },
        run_at: new Date('2026-11-16T09:00:00Z'),
        key: null,
      },
    ])
    expect(await query(`select planned_at from posthorn_queue.job_kinds where name = 'recover-campaigns'`)).toEqual([
      { planned_at: new Date('2026-11-16T09:00:00Z') },
    ])
  })

  it('drops triggers that no file declares, keeps their functions for one more version, and keeps those that the operator created', async () => {
    const installed = await describeSchema(database.url)
    const file = 'features/audience/contacts/functions.sql'
    await database.pool.query(`
      create function count_dodos() returns trigger language plpgsql as 'begin return null; end';
      create trigger dodos_counted after insert on contacts for each statement execute function count_dodos();
      insert into sql_files (name, hash, declares) values ('features/dodos/triggers.sql', 'older',
        '{function public.count_dodos(),trigger dodos_counted on public.contacts}')`)
    await migrate(database.url)
    expect(await query(`select from pg_trigger where tgname = 'dodos_counted'`)).toEqual([])
    expect(await query(`select from pg_proc where proname = 'count_dodos'`)).toHaveLength(1)
    await migrate(database.url) // nothing has changed, so a process that only restarts drops nothing
    expect(await query(`select from pg_proc where proname = 'count_dodos'`)).toHaveLength(1)

    await age(file)
    await migrate(database.url)
    expect(await describeSchema(database.url)).toBe(installed)
    expect(await query(`select from sql_files where 'function public.count_dodos()' = any(declares)`)).toEqual([])

    await database.pool.query(`create function made_by_the_operator() returns int language sql return 1`)
    await age(file)
    await migrate(database.url)
    expect(await query('select made_by_the_operator() as one')).toEqual([{ one: 1 }])
  })

  it('drops a function immediately if it now has other parameters, so that calls are never ambiguous', async () => {
    await database.pool.query(`
      create function utc_day(at timestamptz, zone text default 'UTC') returns date language sql immutable as 'select null::date';
      update sql_files set hash = 'older', declares = declares || '{function public.utc_day(timestamp with time zone\\,text)}'
      where name = 'platform/database/functions.sql'`)
    await migrate(database.url)
    expect(await query(`select utc_day('2026-11-16T09:00:00Z') is not null as ok`)).toEqual([{ ok: true }])
  })

  it('keeps a function that a file declares again', async () => {
    const utcDay = 'function public.utc_day(timestamp with time zone)'
    await database.pool.query(`insert into sql_files (name, hash, declares) values ('retired', '', array['${utcDay}'])`)
    await age('platform/database/functions.sql')
    await migrate(database.url)
    expect(await query(`select utc_day('2026-11-16T09:00:00Z') is not null as ok`)).toEqual([{ ok: true }])
    expect(await query(`select from sql_files where name = 'retired'`)).toEqual([])
  })

  it('recognises functions that another version of PostgreSQL has recorded with other names of types', async () => {
    const installed = await describeSchema(database.url)
    const spellings = [
      [',json,', ',pg_catalog.json,'], // 18 and 15
      ['integer', 'pg_catalog.int4'],
      ['timestamp with time zone', 'timestamptz'],
    ]
    for (const [one, other] of spellings) {
      const { rowCount } = await database.pool.query(
        `update sql_files set declares = replace(declares::text, a, b)::text[]
         from (values ($1, $2), ($2, $1)) as pair(a, b) where strpos(declares::text, a) > 0`,
        [one, other],
      )
      expect(rowCount).toBeGreaterThan(0)
    }
    await age('platform/queue/functions.sql')
    await age('platform/database/functions.sql')
    await migrate(database.url)
    expect(await describeSchema(database.url)).toBe(installed)
  })

  it('restores a function or trigger that is missing although its file has not changed', async () => {
    const installed = await describeSchema(database.url)
    await database.pool.query(`
      drop function posthorn_queue.add_job(text, json, timestamptz, text, integer);
      drop trigger contacts_gone on contacts`)
    await migrate(database.url)
    expect(await describeSchema(database.url)).toBe(installed)
  })

  it('ignores a recorded function whose types no longer exist', async () => {
    const installed = await describeSchema(database.url)
    await database.pool.query(`insert into sql_files (name, hash, declares) values ('features/dodos/functions.sql', 'older',
      '{"function public.count_dodos(public.dodo,integer)"}')`)
    await migrate(database.url)
    expect(await describeSchema(database.url)).toBe(installed)
    expect(await query(`select from sql_files where name = 'features/dodos/functions.sql'`)).toEqual([])
  })

  it('waits for a table that a transaction uses, and lets that transaction complete instead of causing a deadlock', async () => {
    const client = await database.pool.connect()
    try {
      await client.query('begin; lock table events in row exclusive mode')
      await age('features/audience/contacts/triggers.sql')
      await age('features/automation/executions/triggers.sql')
      const migrating = migrate(database.url)
      await eventually('the migration waits for the table', 120_000, async () => {
        const waiting = await query(`select from pg_locks where not granted
          and database = (select oid from pg_database where datname = current_database())`)
        return waiting.length > 0
      })
      // The migration has locked contacts before it waits for events.
      await client.query('lock table contacts in row exclusive mode; commit')
      await migrating
    } finally {
      client.release()
    }
    expect(await query(`select from sql_files where hash = 'older'`)).toEqual([])
  })

  it('leaves the catalog unchanged if no file has changed', async () => {
    const rows = `
      select oid, xmin::text from pg_proc union all select oid, xmin::text from pg_trigger
      union all select 0, xmin::text from sql_files order by 1, 2`
    const before = await query(rows)
    await migrate(database.url)
    expect(await query(rows)).toEqual(before)
  })

  it('names the file that PostgreSQL refuses, and applies none of the others', async () => {
    await database.pool.query(`
      drop function utc_day(timestamptz);
      create function utc_day(at timestamptz) returns text language sql immutable as 'select null::text'`)
    await age('platform/database/functions.sql')
    await age('features/automation/executions/triggers.sql')
    await expect(migrate(database.url)).rejects.toThrow(
      'Applying the SQL files failed: platform/database/functions.sql: cannot change return type of existing function',
    )
    expect(await query(`select from sql_files where hash = 'older'`)).toHaveLength(2)
  })
})

const IN_CATALOGUE = `
  select object.type || ' ' || object.identity as object
  from (
    select 'pg_proc'::regclass as catalogue, oid from pg_proc
    where pronamespace in ('public'::regnamespace, 'posthorn_queue'::regnamespace)
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    union all
    select 'pg_trigger'::regclass, oid from pg_trigger where not tgisinternal
  ) as written, pg_identify_object(catalogue, oid, 0) as object
  order by 1`

describe('the SQL files', () => {
  it('declare every function and trigger of the database, each in one file', async () => {
    const found = (await query(IN_CATALOGUE)).map((row) => row.object)
    const declared = await query('select unnest(declares) as object from sql_files order by 1')
    expect(declared.map((row) => row.object)).toEqual(found)
    expect(found.length).toBeGreaterThan(40)
    const statements = (await readSqlFiles()).flatMap(({ text }) =>
      text.match(/^create or replace (function|trigger)/gm),
    )
    expect(statements).toHaveLength(found.length)
  })

  it('are all found: there is no other SQL file beside the code', async () => {
    const server = path.resolve(import.meta.dirname, '../..')
    const files = readdirSync(server, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll(path.sep, '/'))
      .filter((file) => /^(features|platform)\/.*\.sql$/.test(file))
    expect((await readSqlFiles()).map(({ name }) => name).sort()).toEqual(files.sort())
  })

  it('are the only place for functions and triggers since migration 0026', async () => {
    const migrations = (await migrationNames()).filter((name) => name >= '0026')
    for (const name of migrations) {
      const text = readFileSync(path.resolve(import.meta.dirname, '../../migrations', name), 'utf8')
      expect(text, name).not.toMatch(/create\s+(or\s+replace\s+)?(constraint\s+)?(function|trigger|procedure)/i)
    }
  })

  it('enqueue jobs of the catalogue by name, without a priority or attempts of their own', async () => {
    const files = (await readSqlFiles()).filter(({ name }) => !name.startsWith('platform/queue/'))
    const enqueued = files.flatMap(({ text }) => [...text.matchAll(/add_job\('([\w-]+)'/g)].map((match) => match[1]))
    expect(enqueued.sort()).toEqual(['dispatch-event'])
    for (const name of enqueued) expect(JOB_NAMES).toContain(name)
    for (const { name, text } of files) expect(text, name).not.toMatch(/job_priority|max_attempts|posthorn_queue\.jobs/)
  })
})

describe('ARCHITECTURE.md', () => {
  it('lists every trigger with its table, its timing and its file', async () => {
    const text = readFileSync(path.resolve(import.meta.dirname, '../../../ARCHITECTURE.md'), 'utf8')
    const row = /^\| `(\w+)` \| (after \w+) on `([\w.]+)` \| [^|]{10,} \| `([\w/]+\/triggers\.sql)` \|$/gm
    const listed = [...text.matchAll(row)].map(([, name, moment, table, file]) => ({ name, moment, table, file }))
    const triggers = await query(`
      select t.tgname as name, t.tgrelid::regclass::text as table, f.name as file,
        lower(substring(pg_get_triggerdef(t.oid) from '(AFTER [A-Z]+) ON')) as moment
      from pg_trigger t left join sql_files f on 'trigger ' || (pg_identify_object('pg_trigger'::regclass, t.oid, 0)).identity = any(f.declares)
      where not t.tgisinternal`)
    const sorted = (rows: Array<{ name?: string }>) => rows.toSorted((a, b) => (a.name! < b.name! ? -1 : 1))
    expect(sorted(listed)).toEqual(sorted(triggers))
  })
})
