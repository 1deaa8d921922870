/** Walking a cursor list to its end, a page at a time, as `for await` likes it; and reaching into the envelope. */
import type { Result } from './call.ts'
import { PosthornFailure } from './errors.ts'
import type { Unwrapped } from './shapes.ts'

interface Page {
  data: unknown[]
  cursor: string | null
  hasMore: boolean
}

/** Stops by throwing a `PosthornFailure` when a page is refused: there is no result to put the error into. */
export async function* everyItem<T>(pageAfter: (cursor?: string) => Promise<Result<unknown>>): AsyncGenerator<T> {
  let cursor: string | undefined
  do {
    const { data, error } = await pageAfter(cursor)
    if (error) throw new PosthornFailure(error)
    const page = data as Page
    yield* page.data as T[]
    cursor = page.hasMore ? (page.cursor ?? undefined) : undefined
  } while (cursor)
}

/** The data of a result, or a `PosthornFailure`: for those who would rather catch. */
export async function unwrap<T>(result: Promise<Result<T>>): Promise<T> {
  const { data, error } = await result
  if (error) throw new PosthornFailure(error)
  return data as T
}

export async function withoutEnvelope<T>(result: Promise<Result<T>>): Promise<Result<Unwrapped<T>>> {
  const { data, error } = await result
  return error ? { error } : { data: (data as { data: never }).data }
}
