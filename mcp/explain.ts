/** Why an email was or wasn't sent: the question that people ask most, answered from several endpoints. */
import { z } from 'zod'
import { type Api, ToolError, tool } from './tool.ts'

type Row = Record<string, unknown>

const rowsOf = (page: Row) => (page.data ?? []) as Row[]

/** A key may be allowed to read emails, but not contacts. */
const ifAllowed = (read: Promise<Row>) => read.catch(() => undefined)

export const explainTools = [
  tool({
    name: 'explain_email',
    description:
      'Why an email was or was not sent: give the ID of an email, or an address. Returns reasons as sentences and the facts behind them.',
    input: { id: z.uuid().optional(), address: z.string().max(320).optional() },
    result: { reasons: 'array' },
    scopes: ['emails:read'],
    run: async (api, { id, address }) => {
      if ((id === undefined) === (address === undefined)) throw new ToolError('Give either id or address.')
      return id === undefined ? explainAddress(api, address!) : explainEmail(api, id)
    },
  }),
]

async function explainEmail(api: Api, id: string) {
  const { body: _body, text: _text, html: _html, ...email } = await api.get(`/emails/${id}`)
  const about = await readRecipient(api, String(email.to))
  return { reasons: [stateOf(email), ...about.reasons], email, ...about.facts }
}

async function explainAddress(api: Api, address: string) {
  const found = rowsOf(await api.get('/emails', { search: address, limit: 10 }))
  const own = found.filter(({ to }) => String(to).toLowerCase() === address.toLowerCase())
  const about = await readRecipient(api, address)
  const last = own[0]
  const reasons = last
    ? [`The last email to this address: ${stateOf(last)}`]
    : ['No email to this address was ever accepted. Check the request that should have sent it.']
  return { reasons: [...reasons, ...about.reasons], emails: own, ...about.facts }
}

async function readRecipient(api: Api, address: string) {
  const [contacts, suppressions] = await Promise.all([
    ifAllowed(api.get('/contacts', { email: address })),
    ifAllowed(api.get('/suppressions', { search: address })),
  ])
  const contact = contacts && rowsOf(contacts)[0]
  const suppression =
    suppressions && rowsOf(suppressions).find(({ email, topic }) => email === address.toLowerCase() && topic === null)
  const reasons: string[] = []
  if (suppression) reasons.push(`The address is suppressed (${suppression.reason}), so it gets no marketing email.`)
  if (contact && contact.subscribed === false)
    reasons.push('The contact is not subscribed, so campaigns and workflows leave it out.')
  if (contacts && !contact) reasons.push('There is no contact with this address.')
  return { reasons, facts: { contact: contact ?? null, suppression: suppression ?? null } }
}

const STATES: Record<string, string> = {
  PENDING: 'It waits to be sent.',
  SCHEDULED: 'It is scheduled.',
  SENDING: 'It is being sent.',
  SENT: 'The mail server of the recipient accepted it.',
  DELIVERED: 'It was delivered.',
  OPENED: 'It was delivered and opened.',
  CLICKED: 'It was delivered, and a link in it was clicked.',
  BOUNCED: 'The mail server of the recipient refused it.',
  COMPLAINED: 'The recipient marked it as spam.',
  FAILED: 'It was not sent.',
  CANCELLED: 'It was canceled.',
  SKIPPED: 'It was skipped.',
}

const stateOf = ({ status, error, scheduledFor }: Row): string =>
  [
    STATES[String(status)] ?? `Its status is ${status}.`,
    status === 'SCHEDULED' ? `It leaves at ${scheduledFor}.` : '',
    error ? `Reason: ${error}` : '',
  ]
    .filter(Boolean)
    .join(' ')
