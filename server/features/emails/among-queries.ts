/**
 * Says once more which emails a statement over a list of them means. Joined to a set of rows alone, the planner read the
 * whole outbox for every batch, along the index on status or without one: 90 ms with 20,000 emails waiting, 4 ms by the
 * key. A list of projects in place of one made it walk all contacts instead, so a statement has two texts and two names.
 */
import { type RawBuilder, sql } from 'kysely'

/**
 * A plan for lists of any length is made for ten; a shorter list looks cheaper, so that the statement would be planned
 * anew for each (0.6 ms, half of its cost). Repeating an id changes nothing.
 */
const LIST_MIN = 12

export interface Among {
  /** For the name of the statement. */
  suffix: '' | '-of-many'
  /** Over `emails e`. */
  condition: RawBuilder<boolean>
  /**
   * Joins `emails e` to rows that name them, by these two columns. Of one project it says nothing: that it is the
   * same is known, and saying so once more made the planner expect a single row, and compare every row with every email.
   */
  joinedBy(project: string, email: string): RawBuilder<boolean>
}

export function among(emails: Array<{ projectId: string; emailId: string }>): Among {
  const projects = [...new Set(emails.map(({ projectId }) => projectId))]
  const ids = emails.map(({ emailId }) => emailId.toLowerCase()).sort()
  const between = sql`e.id between ${ids[0]}::uuid and ${ids.at(-1)}::uuid`
  while (ids.length > 0 && ids.length < LIST_MIN) ids.push(ids[0]!)
  if (projects.length === 1) {
    return {
      suffix: '',
      condition: sql`e.project_id = ${projects[0]}::uuid and e.id = any(${ids}::uuid[]) and ${between}`,
      joinedBy: (_project, email) => sql`e.id = ${sql.ref(email)}`,
    }
  }
  return {
    suffix: '-of-many',
    condition: sql`e.project_id = any(${projects}::uuid[]) and e.id = any(${ids}::uuid[]) and ${between}`,
    joinedBy: (project, email) => sql`e.project_id = ${sql.ref(project)} and e.id = ${sql.ref(email)}`,
  }
}

/** Stands where a statement begins. */
export const named = (name: string, { suffix }: Among): RawBuilder<unknown> => sql.raw(`/* ${name}${suffix} */`)
