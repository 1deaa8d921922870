/**
 * What follows from a change, such as a recorded event: a list of consumers, which app.ts sets. The statement that
 * makes the change also adds the work of each consumer, so that nothing is lost between the two, and the feature that
 * records the change doesn't import those that react to it.
 */
import type { RawBuilder } from 'kysely'
import { sql } from '../database/connection/sql.ts'

export interface Consumer {
  /** Part of the names of its steps. */
  name: string
  /** A condition on a row `r`. It is checked for every row, so it must be cheap if nobody is interested. */
  wants: RawBuilder<unknown>
  /** A statement that adds the work for the rows of `wanted`, and returns rows. */
  job: (wanted: RawBuilder<unknown>) => RawBuilder<unknown>
}

export function createFanOut(of: string) {
  let consumers: readonly Consumer[] | undefined

  function all(): readonly Consumer[] {
    if (!consumers) throw new Error(`the consumers of ${of} are not set: import server/app.ts first`)
    return consumers
  }

  const stepOf = (rows: string, { name }: Consumer) => sql.ref(`${rows}_for_${name}`)

  return {
    setConsumers(list: readonly Consumer[]): void {
      consumers = list
    },
    /** Steps that add the work for the rows of an earlier step, each preceded by a comma. */
    steps: (rows: string): RawBuilder<unknown> =>
      sql.join(
        all().map((consumer) => {
          const wanted = sql`(select r.* from ${sql.ref(rows)} r where ${consumer.wants}) as wanted`
          return sql`,
    ${stepOf(rows, consumer)} as (${consumer.job(wanted)}
    )`
        }),
        sql``,
      ),
    /** True. A later step must contain it, because PostgreSQL skips steps whose result isn't read. */
    isAdded: (rows: string): RawBuilder<boolean> =>
      sql<boolean>`true${sql.join(
        all().map((consumer) => sql` and (select count(*) from ${stepOf(rows, consumer)}) >= 0`),
        sql``,
      )}`,
  }
}
