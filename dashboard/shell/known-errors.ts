/** Errors that forms show in other words, recognized by their message. */
import type { errorMessages } from './error-texts.ts'

interface KnownError {
  matches: RegExp
  message: keyof typeof errorMessages
  /** The field that the error is about, if the API doesn't name it. */
  field?: string
}

/** Errors of the API and of its client. */
export const apiErrors: KnownError[] = [
  { matches: /^The request has invalid fields/, message: 'invalidFields' },
  { matches: /^scheduledFor is in the past/, message: 'pastTime', field: 'scheduledFor' },
  { matches: /^scheduledFor must be/, message: 'noTime', field: 'scheduledFor' },
  { matches: /requires a `from` address/, message: 'noSender', field: 'from' },
  { matches: /^The sender domain \S+ is not verified/, message: 'unverifiedDomain', field: 'from' },
  { matches: /^A DYNAMIC segment requires a condition/, message: 'noCondition', field: 'condition' },
  { matches: /^This segment doesn't track membership/, message: 'untrackedMembership' },
  { matches: /^Members can only be added to STATIC segments/, message: 'dynamicMembers' },
  { matches: /^There is no secret to confirm/, message: 'expiredSetup' },
  { matches: /^There is no \w+ with ID /, message: 'gone' },
  { matches: /^The service could not be reached/, message: 'unreachable' },
  { matches: /^The service did not respond in time/, message: 'timedOut' },
]

/** Errors of browsers, which word them differently, and responses without an error of the API. */
export const browserErrors: KnownError[] = [
  { matches: /dynamically imported module|^Failed to fetch|^Load failed|^NetworkError/, message: 'pageNotLoaded' },
  { matches: /^The service responded with status 5\d\d/, message: 'serverError' },
]
