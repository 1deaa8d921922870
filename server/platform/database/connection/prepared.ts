/**
 * Statements that run for every few emails: their text is built once. Building that of a long statement from its parts takes
 * a tenth of a millisecond each time, three times as long as passing its values.
 */
import type { CompiledQuery, RawBuilder } from 'kysely'
import type { Database } from './connect.ts'

class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * `build` is called once, with placeholders instead of values: it can only use them as parameters of the statement. Values
 * that change the text need a statement for each.
 */
export function prepareStatement<Values extends object, Row>(build: (values: Values) => RawBuilder<Row>) {
  const slots = new Proxy({}, { get: (_, name: string) => new Slot(name) }) as Values
  let compiled: CompiledQuery<Row> | undefined
  return async (db: Database, values: Values): Promise<Row[]> => {
    compiled ??= build(slots).compile(db)
    const parameters = compiled.parameters.map((each) =>
      each instanceof Slot ? values[each.name as keyof Values] : each,
    )
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}
