/** Whether the service can be reached. */
import { SERVICE_URL } from './api.ts'
import { connectionLost } from './connection-events.ts'

export const RETRY_MS = 3_000

export async function isReachable(): Promise<boolean> {
  try {
    return (await fetch(`${SERVICE_URL}/health`, { cache: 'no-store' })).ok
  } catch {
    return false
  }
}

/**
 * Loads the code of a page. Without a connection it waits for one, because the router would reload the page, and a reload
 * without a connection ends in an empty window.
 */
export async function loadWhenReachable<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (await isReachable()) throw error
    connectionLost.send()
    while (!(await isReachable())) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    return load()
  }
}
