/** Labels of fields by their name in the API, and the API's errors, reworded for forms. */

export const fieldLabels = {
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
}

interface PlainError {
  matches: RegExp
  message: string
  /** The field that the error is about, if the API doesn't name it. */
  field?: string
}

export const plainErrors: PlainError[] = [
  { matches: /^The request has invalid fields/, message: 'Some fields need your attention.' },
  { matches: /^scheduledFor is in the past/, message: 'Choose a time in the future.', field: 'scheduledFor' },
  { matches: /^scheduledFor must be/, message: 'Enter a date and time.', field: 'scheduledFor' },
  { matches: /requires a `from` address/, message: 'Enter the address you send from.', field: 'from' },
  {
    matches: /^The sender domain \S+ is not verified/,
    message: 'You can only send from a verified domain. Add and verify this one on the Domains page.',
    field: 'from',
  },
  {
    matches: /^A DYNAMIC segment requires a condition/,
    message: 'Add at least one filter.',
    field: 'condition',
  },
  {
    matches: /^This segment doesn't track membership/,
    message: 'This segment doesn’t track membership. Turn on membership tracking first.',
  },
  {
    matches: /^Members can only be added to STATIC segments/,
    message: 'You can’t add contacts to a dynamic segment. Its condition determines its members.',
  },
  { matches: /^There is no secret to confirm/, message: 'This setup has expired. Start again.' },
  { matches: /^There is no \w+ with ID /, message: 'This item doesn’t exist, or it was deleted.' },
  { matches: /^The service could not be reached/, message: 'Posthorn can’t be reached. Check your connection.' },
  { matches: /^The service did not respond in time/, message: 'Posthorn didn’t respond in time. Try again.' },
]

/** Errors of browsers, which word them differently, and responses without an error of the API. */
export const browserErrors: PlainError[] = [
  {
    matches: /dynamically imported module|^Failed to fetch|^Load failed|^NetworkError/,
    message: 'This page can’t be loaded. Check your connection.',
  },
  {
    matches: /^The service responded with status 5\d\d/,
    message: 'Something went wrong on the server. Try again in a moment.',
  },
]
