/**
 * Trying again: after trouble on the way and 503 only where a repetition is harmless, after 429 always, as nothing was
 * done yet. A send whose answer was lost is recovered from the refusal of its second try.
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
      const response = await plan.fetch(new Request(request.clone(), { signal: limit(plan) }))
      if (tries > 0 && response.status === 409) {
        const lost = await lostAnswer(response)
        if (lost) return lost
      }
      if (last || !mayTryAgain(response.status, plan)) return response
      pauseMs = askedPauseMs(response) ?? pauseMs
      if (pauseMs > LONGEST_PAUSE_MS) return response
    } catch (trouble) {
      if (last || !plan.repeatable || plan.signal?.aborted) throw trouble
    }
    await pause(pauseMs, plan.signal)
  }
}

const mayTryAgain = (status: number, plan: RetryPlan) => status === 429 || (status === 503 && plan.repeatable)

function limit({ timeoutMs, signal }: RetryPlan): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal ? AbortSignal.any([signal, timeout]) : timeout
}

/** The first try had its effect and only its answer was lost: the service kept it under our key. */
async function lostAnswer(response: Response): Promise<Response | undefined> {
  const said = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { error?: { code?: string; details?: Record<string, unknown> } } | undefined
  const { code, details } = said?.error ?? {}
  if (code !== 'IDEMPOTENCY_KEY_REUSED' || !details?.originalResponse) return undefined
  return new Response(JSON.stringify({ success: true, data: details.originalResponse }), {
    status: 200,
    headers: { 'content-type': 'application/json' },
  })
}

function askedPauseMs(response: Response): number | undefined {
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
