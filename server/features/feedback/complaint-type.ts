/**
 * What a feedback report (RFC 5965, and so SES) can be about besides a reader's complaint: mail that a reader took back
 * from the spam, a failed check of its sender (RFC 6591) and a virus. None of them is the reader's will.
 */
const NO_COMPLAINT = new Set(['not-spam', 'auth-failure', 'dmarc', 'virus'])

export const isComplaint = (feedbackType: string): boolean => !NO_COMPLAINT.has(feedbackType.trim().toLowerCase())
