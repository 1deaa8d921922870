/**
 * The SMTP server for submission: user `posthorn`, the secret key or an API key with the scope `send` as the password. A
 * password is only accepted on an encrypted connection or from the same machine. The key is looked up again for every
 * message, so a rotated key stops working immediately, even on an open connection.
 */
import type { Context } from '../../../context.ts'
import { isEmailAddress, normalizeEmail, senderDomain } from '../../../kernel/email-address.ts'
import { countOf, Refusal, type RefusalKind } from '../../../kernel/errors.ts'
import { createBatcher } from '../../../kernel/flow/waiting.ts'
import type { CallerKey } from '../../../kernel/scopes.ts'
import type { MessageReader } from '../../../platform/mime/message-reader.ts'
import { UnreadableMessage } from '../../../platform/mime/parse-message.ts'
import type { SmtpListener, SmtpSession } from '../../../platform/smtp/listen.ts'
import { openMailServer } from '../../../platform/smtp/open-server.ts'
import { cannotParse, SmtpRefusal } from '../../../platform/smtp/refusal.ts'
import { sendersAreVerified } from '../../tenants/domains/actions.ts'
import { type KeyKind, kindOfKey, requireScope } from '../../tenants/keys/actions.ts'
import type { Outbox } from '../outbox/actions.ts'
import { acceptSubmission, type IdempotencyKeys } from './actions.ts'
import { createSignInFailures, type SignInFailures } from './sign-in-failures.ts'

const USER = 'posthorn'

interface User {
  projectId: string
  key: string
  /** What is known about the key. */
  known: CallerKey
  /** Found to be verified, so not looked up again. The sender that the recipient sees is checked for each message. */
  domain?: string
}

interface AdmittedKey {
  projectId: string
  disabled: boolean
  windowCount: number
  key?: CallerKey
}

/** What submission shares with HTTP requests. Passed in, because features don't import the gate. */
export interface SubmissionGate {
  /** Counts the call and returns the project of a key, or undefined. */
  admitKey(call: { key: string; kind: KeyKind }): Promise<AdmittedKey | undefined>
  /** Records when a key was last used, and from where. */
  recordUse(projectId: string, key: CallerKey, address: string): void
  keys: IdempotencyKeys
}

/** 0 selects any free port. */
export function openSubmissionServer(
  ctx: Context,
  gate: SubmissionGate,
  outbox: Outbox,
  port: number,
): Promise<SmtpListener> {
  const failures = createSignInFailures(ctx.clock)
  // Messages of several connections share a statement, as requests do.
  const isVerified = createBatcher((senders: Sender[]) => sendersAreVerified(ctx, senders), {
    batchMax: 200,
    concurrency: 4,
  })
  return openMailServer<User>(ctx, {
    setting: 'SUBMISSION_SMTP_PORT',
    port,
    maxMegabytes: ctx.settings.MESSAGE_MAX_MB,
    implicitTls: ctx.settings.SUBMISSION_SMTP_TLS === 'implicit',
    handlers: {
      signIn: (login, address) => signIn(gate, failures, login, address),
      projectOf: ({ projectId }) => projectId,
      sender: (address, { user }) => requireSender(isVerified, user, address),
      recipient: requireAddress,
      message: async (raw, session) => {
        await requireBudget(ctx, gate, session)
        return acceptMessage(ctx.messageReader, gate.keys, outbox, raw, session)
      },
    },
  })
}

async function signIn(
  gate: SubmissionGate,
  failures: SignInFailures,
  login: { user: string; password: string },
  address: string,
): Promise<User> {
  const minutes = failures.minutesToWait(address)
  if (minutes !== undefined) {
    throw new SmtpRefusal(
      421,
      `4.7.0 Too many failed sign-in attempts from your address. Try again in ${countOf(minutes, 'minute')}.`,
      {
        disconnect: true,
      },
    )
  }
  const { password: key } = login
  const project = login.user.toLowerCase() === USER ? await admit(gate, key, address) : undefined
  if (!project) {
    failures.record(address)
    throw wrongKey(login)
  }
  failures.clear(address)
  if (project.disabled) throw disabled()
  return { projectId: project.projectId, key, known: project.key }
}

/** Undefined for a wrong key. A valid one that may not send from this address is refused. */
async function admit(
  gate: SubmissionGate,
  key: string,
  address: string,
): Promise<(AdmittedKey & { key: CallerKey }) | undefined> {
  const kind = kindOfKey(key)
  const project = kind && kind !== 'public' ? await gate.admitKey({ key, kind }) : undefined
  if (!project?.key) return undefined
  try {
    requireScope(project.key, 'send', address)
  } catch (error) {
    throw error instanceof Refusal ? new SmtpRefusal(535, `5.7.8 ${error.message}`) : error
  }
  gate.recordUse(project.projectId, project.key, address)
  return { ...project, key: project.key }
}

const wrongKey = ({ user, password }: { user: string; password: string }) => {
  if (user.toLowerCase() !== USER) return new SmtpRefusal(535, '5.7.8 The username must be posthorn.')
  const isPublic = password.startsWith('pk_')
  return new SmtpRefusal(
    535,
    `5.7.8 The password must be the secret key of a project (sk_...) or an API key (phk_...)${isPublic ? ', not the public key' : ''}.`,
  )
}

const disabled = () => new SmtpRefusal(550, '5.7.1 This project is disabled and cannot send email.')

interface Sender {
  projectId: string
  address: string
}

async function requireSender(
  isVerified: (sender: Sender) => Promise<boolean>,
  user: User,
  address: string,
): Promise<void> {
  if (!isEmailAddress(normalizeEmail(address))) throw new SmtpRefusal(553, '5.1.7 The sender must be an email address.')
  const domain = senderDomain(address)
  if (user.domain === domain) return
  if (!(await isVerified({ projectId: user.projectId, address }))) {
    throw new SmtpRefusal(550, `5.7.1 The sender domain ${domain} is not verified in this project.`)
  }
  user.domain = domain
}

async function requireAddress(address: string): Promise<void> {
  if (!isEmailAddress(normalizeEmail(address))) {
    throw new SmtpRefusal(553, '5.1.3 The recipient must be an email address.')
  }
}

async function acceptMessage(
  reader: MessageReader,
  keys: IdempotencyKeys,
  outbox: Outbox,
  raw: Buffer,
  { user, sender, recipients }: SmtpSession<User>,
): Promise<string> {
  try {
    const [first, ...others] = await acceptSubmission(reader, keys, outbox, user, { sender, recipients, raw })
    return `2.0.0 queued as ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`
  } catch (error) {
    throw inSmtp(error)
  }
}

/** Each message counts as a request. */
async function requireBudget(
  ctx: Context,
  gate: SubmissionGate,
  { user, address }: Pick<SmtpSession<User>, 'user' | 'address'>,
): Promise<void> {
  const project = await admit(gate, user.key, address)
  if (!project)
    throw new SmtpRefusal(535, '5.7.8 This key has expired or been replaced. Sign in with a new key.', {
      disconnect: true,
    })
  const limit = ctx.settings.RATE_LIMIT_PER_MINUTE
  if (limit > 0 && project.windowCount > limit) {
    throw new SmtpRefusal(
      451,
      `4.7.1 The rate limit of ${countOf(limit, 'request')} per minute has been reached. Try again later.`,
    )
  }
  if (project.disabled) throw disabled()
}

const CODES: Partial<Record<RefusalKind, [code: number, status: string]>> = {
  unavailable: [451, '4.3.0'],
  'too-many': [451, '4.7.1'],
  forbidden: [550, '5.7.1'],
  'payment-required': [550, '5.7.1'],
  'too-large': [552, '5.3.4'],
}

/** A refusal as an SMTP response: temporary or permanent. */
function inSmtp(error: unknown): unknown {
  if (error instanceof UnreadableMessage) return cannotParse(error)
  if (!(error instanceof Refusal)) return error
  const [code, status] = CODES[error.kind] ?? [554, '5.6.0']
  const problem = error.extras.problems?.[0]
  return new SmtpRefusal(
    code,
    `${status} ${problem ? `${sourceOf(problem.field)}: ${problem.message}` : error.message}`,
  )
}

/** What the sender of a message knows a field as. */
const sourceOf = (field: string) => field.replace(/^tags\b\.?/, 'X-Posthorn-Tag ').trim()
