/**
 * Errors in the form and with the status of the service whose clients call an endpoint. The header `Posthorn-Error-Code`
 * has our own code.
 */
import type { ErrorCode } from '../../../kernel/error-codes.ts'
import type { FieldProblem, Refusal } from '../../../kernel/errors.ts'

/** An error as all other endpoints respond with it. */
interface UsualReply {
  status: number
  headers: Record<string, string>
  body: unknown
  isBug: boolean
}

/** What an error is about, in every service. */
interface CompatError {
  status: number
  code: ErrorCode
  /** What is wrong, in one text. */
  message: string
  problems: FieldProblem[]
  details: Record<string, unknown>
}

type Form = (error: CompatError) => { status: number; body: unknown }

const isUnverified = ({ details }: CompatError) => details.reason === 'DOMAIN_NOT_VERIFIED'
const isTemplateMissing = ({ code }: CompatError) => code === 'TEMPLATE_NOT_FOUND'

function resendName(error: CompatError): [status: number, name: string] {
  const { status, code, problems, details } = error
  if (code === 'MISSING_AUTH') return [401, 'missing_api_key']
  if (status === 401) return [401, 'invalid_api_key']
  if (status === 402) return [429, 'monthly_quota_exceeded']
  if (status === 403) return code === 'FORBIDDEN' ? [401, 'restricted_api_key'] : [403, 'validation_error']
  if (status === 404) return [404, 'not_found']
  if (code === 'IDEMPOTENCY_KEY_REUSED')
    return [409, details.originalStatusCode === null ? 'concurrent_idempotent_requests' : 'invalid_idempotent_request']
  if (status === 409) return [422, 'validation_error']
  if (status === 422) return [422, resendFieldName(problems)]
  if (status === 429) return [429, 'rate_limit_exceeded']
  if (status === 503) return [503, 'service_unavailable']
  return [status, status >= 500 ? 'internal_server_error' : 'validation_error']
}

function resendFieldName([problem, ...others]: FieldProblem[]): string {
  if (!problem) return 'validation_error'
  if ([problem, ...others].every(({ message }) => message === 'This field is required.'))
    return 'missing_required_field'
  const field = problem.field.replace(/^\d+\./, '')
  if (field.startsWith('attachments')) return 'invalid_attachment'
  return field === 'from' ? 'invalid_from_address' : 'validation_error'
}

function postmarkCode(error: CompatError): [status: number, code: number] {
  const { status, code, problems } = error
  if (isUnverified(error)) return [422, 400]
  if (status === 402 || code === 'PROJECT_DISABLED') return [422, 405]
  if (status === 401 || status === 403) return [401, 10]
  if (isTemplateMissing(error)) return [422, 1101]
  if (status === 400) return [422, 402]
  if (problems.some((problem) => problem.code === 'unsubscribed')) return [422, 406]
  if (status === 422) return [422, problems.some(({ field, code }) => field === '' && code === 'too_big') ? 410 : 300]
  return [status, status === 503 ? 100 : status]
}

function sendgridStatus(error: CompatError): number {
  if (error.status === 402) return 401 // "Maximum credits exceeded"
  return error.status === 422 || isTemplateMissing(error) ? 400 : error.status
}

const FORMS: Record<string, Form> = {
  resend(error) {
    const [statusCode, name] = resendName(error)
    return { status: statusCode, body: { statusCode, name, message: error.message } }
  },
  postmark(error) {
    const [status, ErrorCode] = postmarkCode(error)
    return { status, body: { ErrorCode, Message: error.message } }
  },
  sendgrid(error) {
    const { problems, message } = error
    const field = isTemplateMissing(error) ? 'template_id' : isUnverified(error) ? 'from' : null
    const named = problems.map((problem) => ({ message: problem.message, field: problem.field || null, help: null }))
    return {
      status: sendgridStatus(error),
      body: { errors: named.length > 0 ? named : [{ message, field, help: null }] },
    }
  },
  mailgun: (error) => ({
    status: error.status === 422 || isTemplateMissing(error) ? 400 : error.status,
    body: { message: error.message },
  }),
}

/** The header of services whose clients don't send the key as a bearer token. */
const WHERE_THE_KEY_IS: Record<string, string> = {
  postmark: 'Send your key in the header X-Postmark-Server-Token.',
  mailgun: 'Send your key as the password of the user `api`.',
}

const SERVICE = /^\/compat\/([a-z]+)(?:[/?]|$)/

/** Undefined for the endpoints of no other service. */
export function compatibleError(url: string, { headers, body, status, isBug }: UsualReply): UsualReply | undefined {
  const service = SERVICE.exec(url)?.[1] ?? ''
  const form = FORMS[service]
  const { error } = body as { error: UsualError }
  if (!form || typeof error !== 'object') return undefined
  const { code } = error
  const suggestion = (code === 'MISSING_AUTH' && WHERE_THE_KEY_IS[service]) || error.suggestion
  return {
    ...form(read(status, { ...error, suggestion })),
    headers: { ...headers, 'posthorn-error-code': code },
    isBug,
  }
}

/** One of several messages, in the form of Postmark. */
export const postmarkError = (status: number, error: UsualError) => FORMS.postmark!(read(status, error)).body

/** An error of our own form. */
export interface UsualError {
  code: ErrorCode
  message: string
  errors?: FieldProblem[] | undefined
  details?: Record<string, unknown> | undefined
  suggestion?: string | undefined
}

export const usualError = ({ code, message, extras: { problems, ...extras } }: Refusal): UsualError => ({
  code,
  message,
  errors: problems,
  ...extras,
})

const read = (status: number, { code, message, errors = [], details = {}, suggestion }: UsualError): CompatError => ({
  status,
  code,
  message: errors.length > 0 ? describeProblems(errors) : [message, suggestion].filter(Boolean).join(' '),
  problems: errors,
  details,
})

export const describeProblems = (problems: FieldProblem[]): string =>
  problems.map(({ field, message }) => (field === '' ? message : `\`${field}\`: ${message}`)).join(' ')
