/** Every named statement joins the tables of projects by project_id, so that no row of another project can get into a result. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../harness.ts'
import { readStatements } from '../statements.ts'
import { type Catalog, joinsAcrossProjects } from './project-joins.ts'

/**
 * Tables with a project_id that are also read for several projects at once: whose keys and domains they are, who is in which
 * project, and the turns of projects in sending.
 */
const ACROSS_PROJECTS = [
  'project_keys',
  'domains',
  'billing_customers',
  'members',
  'invitations',
  'send_paces',
  'send_lines',
  'send_places',
]

let database: Awaited<ReturnType<typeof openTestDatabase>>
let catalog: Catalog

beforeAll(async () => {
  database = await openTestDatabase()
  const { rows } = await database.pool.query<{ table: string; columns: string[] }>(`
    select relname as table, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace group by relname`)
  const isOfProjects = ({ table, columns }: { table: string; columns: string[] }) =>
    columns.includes('project_id') && !ACROSS_PROJECTS.includes(table)
  catalog = {
    columns: new Map(rows.map(({ table, columns }) => [table, columns])),
    ofProjects: new Set(rows.filter(isOfProjects).map(({ table }) => table)),
  }
})
afterAll(() => database.close())

/** Statements that join tables of projects by something else. Each needs a reason. */
const JOINED_OTHERWISE: Record<string, string> = {
  'insert-emails': 'It serves several requests at once and joins by the number of the request, which has one project.',
  'delete-old-webhook-log': 'It walks through the log of all projects, from one endpoint to the next.',
  'list-due-webhook-endpoints': 'It walks through the deliveries of all projects, from one endpoint to the next.',
  'delete-requests-before': 'It walks through the log of all projects, from one to the next.',
  'claim-emails': 'All its requests are of one project, which is a parameter.',
  'insert-emails-with-options': 'The same statement.',
  'insert-confirmations': 'It joins by the number of the request, which has one project.',
  'release-due-emails': 'It serves several emails at once and joins by their number, which has one project.',
  'release-due-emails-of-many': 'The same statement.',
  'find-campaigns-without-content':
    'Its campaigns are of one project, which is a parameter, and a function leaves out their content.',
  'insert-received': 'It serves several recipients at once and joins by their number, which has one project.',
}

it('every named statement joins tables of projects by project_id, except those with a reason', async () => {
  const found: Record<string, string[]> = {}
  for (const [name, text] of readStatements()) {
    const problems = await joinsAcrossProjects(text, catalog)
    if (problems.length > 0) found[name] = problems
  }
  expect(readStatements().size).toBeGreaterThan(150)
  const unexpected = Object.fromEntries(Object.entries(found).filter(([name]) => !(name in JOINED_OTHERWISE)))
  expect(unexpected, 'Join on project_id, or add a reason to JOINED_OTHERWISE.').toEqual({})
  expect(Object.keys(JOINED_OTHERWISE).filter((name) => !(name in found))).toEqual([])
})

it.each([
  ['select from emails e join contacts c on c.project_id = e.project_id and c.id = e.contact_id', []],
  ['select from emails e join contacts c using (project_id)', []],
  ['select from emails e, contacts c where e.project_id = $1 and c.project_id = $2 and c.id = e.contact_id', []],
  ['select from emails e join projects p on p.id = e.project_id join contacts c on c.project_id = p.id', []],
  ['select from emails e join contacts c on c.id = e.contact_id', ['emails and contacts']],
  ['select from emails e, contacts c where e.project_id = $1 or c.project_id = $1', ['emails and contacts']],
  ['select from emails e, contacts c where e.project_id = any($1) and c.project_id = any($1)', ['emails and contacts']],
  ['select from emails e where e.id in (select email_id from events where name = $1)', ['emails and events']],
  ['select from emails e where (e.project_id, e.id) in (select project_id, email_id from events)', []],
  ['select (select count(*) from events where contact_id = c.id) from contacts c', ['contacts and events']],
  [
    'select from emails e, contacts c where not exists (select from events v where v.project_id = e.project_id and v.project_id = c.project_id)',
    ['emails and contacts'],
  ],
  [
    'with c as (select project_id, id from contacts) select from c one join c other on one.id = other.id',
    ['contacts and contacts'],
  ],
  [
    'with c as (select id from contacts where project_id = $1) delete from emails e using c where e.project_id = $2 and e.contact_id = c.id',
    [],
  ],
  [
    'with c as (select id from contacts) delete from emails e using c where e.project_id = $2 and e.contact_id = c.id',
    ['emails and contacts'],
  ],
  ['insert into events (project_id, id) select e.project_id, e.id from emails e', []],
  ['insert into events (project_id, id) select e.id, e.project_id from emails e', ['events and emails']],
  [
    'update emails e set subject = null from unnest($1::uuid[], $2::uuid[]) as u(project_id, id), contacts c where e.project_id = u.project_id and c.project_id = u.project_id',
    [],
  ],
  [
    'select from contacts c left join lateral (select * from emails where emails.contact_id = c.id) e on true',
    ['contacts and emails'],
  ],
  [
    'select from contacts c join (select project_id from emails union all select project_id from events) u on u.project_id = c.project_id',
    [],
  ],
  [
    'select from contacts c join (select contact_id from emails union all select contact_id from events) u on u.contact_id = c.id',
    ['contacts and emails', 'contacts and events', 'emails and events'],
  ],
])('the check of joins finds what %j joins without project_id', async (statement, problems) => {
  expect(await joinsAcrossProjects(statement, catalog)).toEqual(problems)
})
