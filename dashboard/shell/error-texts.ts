/** Labels of fields by their name in the API, and errors that forms show in other words. */
import { translated } from '../languages/language.ts'

export const fieldLabels = translated('fieldLabels', {
  name: 'Name',
  description: 'Description',
  subject: 'Subject',
  body: 'Body',
  from: 'From',
  fromName: 'Sender name',
  replyTo: 'Reply-to',
  type: 'Type',
  email: 'Email',
  data: 'Data',
  domain: 'Domain',
  password: 'Password',
  newPassword: 'New password',
  code: 'Authentication code',
  segmentId: 'Segment',
  templateId: 'Template',
  condition: 'Condition',
  audienceCondition: 'Condition',
  audienceType: 'Audience',
  scheduledFor: 'Date and time',
  trackMembership: 'Track membership',
  triggerType: 'Trigger',
  triggerConfig: 'Trigger',
  eventName: 'Event',
  allowReentry: 'Allow re-entry',
  language: 'Language',
  tracking: 'Open and click tracking',
  role: 'Role',
  confirm: 'Project name',
  file: 'File',
  postalAddress: 'Postal address',
  logoUrl: 'Logo',
  brandColor: 'Color',
  /** A filter of a condition, counted from 1. */
  filter: (group: number, position: number | undefined, part: string | undefined): string => {
    const filter = position === undefined ? `Group ${group}` : `Group ${group}, filter ${position}`
    return part ? `${filter}, ${part}` : filter
  },
})

export const errorMessages = translated('errorMessages', {
  invalidFields: 'Some fields need your attention.',
  pastTime: 'Choose a time in the future.',
  noTime: 'Enter a date and time.',
  noSender: 'Enter the address you send from.',
  unverifiedDomain: 'You can only send from a verified domain. Add and verify this one on the Domains page.',
  noCondition: 'Add at least one filter.',
  untrackedMembership: 'This segment doesn’t track membership. Turn on membership tracking first.',
  dynamicMembers: 'You can’t add contacts to a dynamic segment. Its condition determines its members.',
  expiredSetup: 'This setup has expired. Start again.',
  gone: 'This item doesn’t exist, or it was deleted.',
  unreachable: 'Posthorn can’t be reached. Check your connection.',
  timedOut: 'Posthorn didn’t respond in time. Try again.',
  pageNotLoaded: 'This page can’t be loaded. Check your connection.',
  serverError: 'Something went wrong on the server. Try again in a moment.',
  wrongCredentials: 'The email address or password is incorrect.',
  wrongPassword: 'The password is incorrect.',
  wrongCode: 'The code is incorrect or was already used. Enter the latest one.',
  signedOut: 'Your session has expired. Sign in again.',
  noSignUps: 'Sign-up is disabled on this installation. Ask a project owner to invite you.',
  accountExists: 'An account with this email address already exists. Sign in instead.',
  usedLink: 'This link has already been used or has expired.',
  endedInvitation: 'This invitation has been accepted or revoked, or it has expired.',
})

/** An error that is recognized by its message. */
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
  { matches: /^The email address or password is incorrect/, message: 'wrongCredentials' },
  { matches: /^The password is incorrect/, message: 'wrongPassword' },
  { matches: /^The code is incorrect/, message: 'wrongCode', field: 'code' },
  { matches: /^Your session has expired/, message: 'signedOut' },
  { matches: /^Sign-up is disabled/, message: 'noSignUps' },
  { matches: /^An account with this email address already exists/, message: 'accountExists' },
  { matches: /^This link has already been used/, message: 'usedLink' },
  { matches: /^This invitation has been accepted or revoked/, message: 'endedInvitation' },
  { matches: /^The service could not be reached/, message: 'unreachable' },
  { matches: /^The service did not respond in time/, message: 'timedOut' },
]

/** Errors of browsers, which word them differently, and responses without an error of the API. */
export const browserErrors: KnownError[] = [
  { matches: /dynamically imported module|^Failed to fetch|^Load failed|^NetworkError/, message: 'pageNotLoaded' },
  { matches: /^The service responded with status 5\d\d/, message: 'serverError' },
]
