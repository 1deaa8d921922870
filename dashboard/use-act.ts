/** One act at a time: busy while it runs, and its refusal when it is refused. */
import type { Result } from '@posthorn/sdk'
import { useState } from 'react'
import { type PosthornError, PosthornFailure } from './api.ts'

export function useAct() {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<PosthornError | null>(null)

  async function act<T>(call: Promise<Result<T>>): Promise<{ data: T } | undefined> {
    setBusy(true)
    const { data, error } = await call
    setBusy(false)
    setError(error ?? null)
    return error ? undefined : { data: data as T }
  }

  return { act, busy, error, problem: error && new PosthornFailure(error) }
}
