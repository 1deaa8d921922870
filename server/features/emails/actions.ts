/** What other features may ask about emails that are in the outbox. */
export { findTransportPause } from './breaker.ts'
export {
  cancelCampaignEmails,
  countRecipients,
  hasPendingEmails,
  listPendingEmails,
  listRecipients,
  type RecipientRow,
  retryFailedEmails,
} from './campaign-queries.ts'
export { deliverEmails } from './delivery-slice.ts'
export {
  type Bounce,
  type Note,
  noteBounces,
  noteClick,
  noteComplaints,
  noteDelivered,
  noteOpen,
  noteWords,
  type Outcome,
} from './outcomes.ts'
export { emailOfReturnPath, returnPathOf } from './return-path.ts'
export { EMAIL_STATUSES } from './schemas.ts'
export { isBot } from './tracking-bots.ts'
