/** Failures that concern the whole dashboard, reported where requests fail and handled in connection.tsx. */
import type { PosthornError } from '@posthorn/sdk'

function createSignal() {
  const listeners = new Set<() => unknown>()
  return {
    listen(listener: () => unknown): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    send(): void {
      for (const listener of listeners) listener()
    },
  }
}

export const connectionLost = createSignal()
export const sessionEnded = createSignal()

/** A wrong password or code is also a 401, but doesn't end the session. */
const SESSION_GOES_ON = ['INVALID_CREDENTIALS', 'TWO_FACTOR_REQUIRED']

export function reportFailure({ statusCode, code }: PosthornError): void {
  if (statusCode === 401 && !SESSION_GOES_ON.includes(code)) sessionEnded.send()
  if (statusCode === 0 && (code === 'NETWORK_ERROR' || code === 'TIMEOUT')) connectionLost.send()
}
