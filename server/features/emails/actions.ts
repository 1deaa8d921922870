/** What other features may ask about emails that are in the outbox. */
export {
  cancelCampaignEmails,
  countRecipients,
  hasPendingEmails,
  listPendingEmails,
  listRecipients,
  type RecipientRow,
  retryFailedEmails,
} from './campaign-queries.ts'
export { EMAIL_STATUSES } from './schemas.ts'
