/** Iterates over the pages of a cursor list, and unwraps results. */
import type { Result } from './call.ts'
import { PosthornFailure } from './errors.ts'
import type { Unwrapped } from './shapes.ts'

interface Page {
  data: unknown[]
  cursor: string | null
  hasMore: boolean
}

/** Throws a `PosthornFailure` if a page can't be fetched. */
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

/** Returns the data of a call, or throws a `PosthornFailure` if it failed. */
export async function unwrap<T>(result: Promise<Result<T>>): Promise<T> {
  const { data, error } = await result
  if (error) throw new PosthornFailure(error)
  return data as T
}

export async function withoutEnvelope<T>(result: Promise<Result<T>>): Promise<Result<Unwrapped<T>>> {
  const { data, error } = await result
  return error ? { error } : { data: (data as { data: never }).data }
}
