/**
 * Retries requests: after 429 always, because nothing was processed; after 503 and connection errors only if repeating the
 * request is safe. If only the response was lost, it is recovered from the 409 response to the retry.
 */

export interface RetryPlan {
  retries: number
  timeoutMs: number
  repeatable: boolean
  signal?: AbortSignal
  fetch: (request: Request) => Promise<Response>
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 20_000

export async function fetchWithRetries(request: Request, plan: RetryPlan): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const last = tries >= plan.retries
    let pauseMs = jittered(FIRST_PAUSE_MS * 2 ** tries)
    try {
      const response = await plan.fetch(new Request(request.clone(), { signal: signalFor(plan) }))
      if (tries > 0 && response.status === 409) {
        const original = await originalResponse(response)
        if (original) return original
      }
      if (last || !isRetryable(response.status, plan)) return response
      pauseMs = retryAfterMs(response) ?? pauseMs
      if (pauseMs > LONGEST_PAUSE_MS) return response
    } catch (error) {
      if (last || !plan.repeatable || plan.signal?.aborted) throw error
    }
    await pause(pauseMs, plan.signal)
  }
}

const isRetryable = (status: number, plan: RetryPlan) => status === 429 || (status === 503 && plan.repeatable)

function signalFor({ timeoutMs, signal }: RetryPlan): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal ? AbortSignal.any([signal, timeout]) : timeout
}

/** If the first attempt succeeded and only its response was lost, the service has stored that response with our key. */
async function originalResponse(response: Response): Promise<Response | undefined> {
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { error?: { code?: string; details?: Record<string, unknown> } } | undefined
  const { code, details } = body?.error ?? {}
  if (code !== 'IDEMPOTENCY_KEY_REUSED' || details?.originalStatusCode !== 200) return undefined
  // With a public key, the service doesn't return the response; that the request was accepted is all that is known.
  const data = details.originalResponse ?? { timestamp: details.originalRequestAt }
  return new Response(JSON.stringify({ success: true, data }), {
    status: 200,
    headers: { 'content-type': 'application/json' },
  })
}

function retryAfterMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
}

const jittered = (ms: number) => ms * (0.75 + Math.random() / 2)

const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
