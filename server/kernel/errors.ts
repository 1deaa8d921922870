/** Errors thrown on purpose. A `Refusal` is the response to a caller; the gate chooses the HTTP status for its kind. */
import type { ErrorCode } from './error-codes.ts'

export type RefusalKind =
  | 'bad-request'
  | 'unauthenticated'
  | 'payment-required'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'changed'
  | 'too-slow'
  | 'too-large'
  | 'invalid'
  | 'too-many'
  | 'unavailable'

/** A problem that the operator of Posthorn can solve. The message is shown without a stack trace. */
export class OperatorProblem extends Error {}

/** One problem with a request: `field` is a dot path, `code` is for machines. */
export interface FieldProblem {
  field: string
  message: string
  code: string
  received?: unknown
}

export interface RefusalExtras {
  problems?: FieldProblem[]
  details?: Record<string, unknown>
  suggestion?: string
  /** Respond with `{error: message}` alone, as the contract requires in three places. */
  bare?: boolean
}

export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly code: ErrorCode
  readonly extras: RefusalExtras

  constructor(kind: RefusalKind, code: ErrorCode, message: string, extras: RefusalExtras = {}) {
    super(message)
    this.kind = kind
    this.code = code
    this.extras = extras
  }
}

export const badRequest = (message: string, extras?: RefusalExtras) =>
  new Refusal('bad-request', 'BAD_REQUEST', message, extras)

export const conflict = (message: string, extras?: RefusalExtras) =>
  new Refusal('conflict', 'CONFLICT', message, extras)

export const forbidden = (message: string) => new Refusal('forbidden', 'FORBIDDEN', message)

const NOT_FOUND_CODES: Record<string, ErrorCode> = {
  contact: 'CONTACT_NOT_FOUND',
  template: 'TEMPLATE_NOT_FOUND',
  campaign: 'CAMPAIGN_NOT_FOUND',
  workflow: 'WORKFLOW_NOT_FOUND',
  segment: 'SEGMENT_NOT_FOUND',
}

/** Also used for the id of another project's resource, so that a response doesn't reveal whether it exists. */
export const notFound = (resource: string, id: string, message = `There is no ${resource} with ID ${id}.`) =>
  new Refusal('not-found', NOT_FOUND_CODES[resource] ?? 'RESOURCE_NOT_FOUND', message, { details: { resource, id } })

export const invalid = (problems: FieldProblem[]) =>
  new Refusal('invalid', 'VALIDATION_ERROR', 'The request has invalid fields.', {
    problems,
    suggestion: 'See error.errors for the problem with each field.',
  })

export const invalidField = (field: string, message: string, code = 'custom') => invalid([{ field, message, code }])

/** The contract requires status 403 with this unusual code for an unverified sender domain. */
export const senderNotVerified = (domain: string) =>
  new Refusal('forbidden', 'INTERNAL_SERVER_ERROR', `The sender domain ${domain} is not verified in this project.`, {
    details: { reason: 'DOMAIN_NOT_VERIFIED', domain },
    suggestion: `Add ${domain} with POST /domains if it isn't in the project yet. Its DNS records are on the page Domains of the dashboard and in GET /domains/project/{projectId}. Set them, verify the domain, then send again.`,
  })

/** "1 minute", "5 minutes". */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** `source` as in the names of limits: transactional, campaigns, workflows or inbound. */
export const billingLimitExceeded = (source: string, limit: number) =>
  new Refusal(
    'payment-required',
    'BILLING_LIMIT_EXCEEDED',
    `This would exceed the project's limit of ${countOf(limit, 'email')} per calendar month for ${source}.`,
    { details: { source, limit }, suggestion: 'Raise the limit in the billing settings, or wait for the next month.' },
  )

/** The contract's bare responses, for a template without a sender and a segment without a condition: status 400 with only `{error: string}`. */
export const bareBadRequest = (message: string) => new Refusal('bad-request', 'BAD_REQUEST', message, { bare: true })
