/** Runs one API call at a time, and keeps whether it is running and the error it returned. */
import type { Result } from '@posthorn/sdk'
import { useState } from 'react'
import { type PosthornError, PosthornFailure } from './api.ts'
import { reportFailure } from './connection-events.ts'
import { plainError } from './errors.ts'

export function useAction() {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<PosthornError | null>(null)

  /** Resolves to undefined when the call failed. */
  async function run<T>(call: Promise<Result<T>>): Promise<{ data: T } | undefined> {
    setBusy(true)
    const { data, error } = await call
    setBusy(false)
    if (error) reportFailure(error)
    setError(error ? plainError(error) : null)
    return error ? undefined : { data: data as T }
  }

  return { run, busy, error, problem: error && new PosthornFailure(error) }
}
