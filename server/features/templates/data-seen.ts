/**
 * What a template sees of a contact's data together with what a request brings. Names that the service gives itself
 * are left out; null takes a value away, "" leaves the old one; a value for one use stands for itself.
 * Previews go by it, and a test compares them with what is really sent.
 */
export type Data = Record<string, unknown>

const RESERVED = new Set(
  (
    'id email service_id service_email posthorn_id posthorn_email plunk_id plunk_email ' +
    'unsubscribeUrl subscribeUrl manageUrl __proto__ constructor prototype'
  ).split(' '),
)

export function dataSeen(contactData: Data, requestData: Data): Data {
  const seen = { ...contactData }
  for (const [key, given] of Object.entries(requestData)) {
    if (RESERVED.has(key)) continue
    const forOneUse = isForOneUse(given)
    const value = forOneUse ? given.value : given
    const isNothing = value === null || value === undefined || (value === '' && !forOneUse)
    if (!isNothing) seen[key] = value
    else if (value === null && !forOneUse) delete seen[key]
  }
  return seen
}

const isForOneUse = (value: unknown): value is { value: unknown; persistent: false } =>
  typeof value === 'object' &&
  value !== null &&
  'value' in value &&
  (value as { persistent?: unknown }).persistent === false
