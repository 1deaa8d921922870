/** German texts of the page of contacts who have not confirmed their subscription. */
import type * as english from '../../../../pages/contacts/pending-texts.ts'
import type { Translation } from '../../../translation.ts'

export const pending: Translation<typeof english.pendingTexts> = {
  title: 'Ausstehende Bestätigungen',
  lead: 'Diese Kontakte wurden gebeten, ihr Abonnement zu bestätigen, und haben es noch nicht getan. Bis dahin erhalten sie keine Marketing-E-Mails.',
  link: 'Ausstehende Bestätigungen',
  pending: 'Ausstehend',
  asked: 'Angefragt',
  confirmed: 'Bestätigt',
  rate: 'Bestätigungsrate',
  days: 'Letzte 30 Tage',
  column: { email: 'E-Mail', requested: 'Angefragt' },
  sendAgainTo: (email) => `Erneut an ${email} senden`,
  emptyTitle: 'Keine ausstehenden Bestätigungen',
  empty:
    'Mit Double-Opt-in warten Kontakte hier, bis sie ihr Abonnement per E-Mail bestätigen. Das weist ihre Einwilligung nach. Schalten Sie es unter „Einstellungen“ → „Allgemein“ ein.',
  noMatchTitle: 'Keine passenden Kontakte',
  noMatch: 'Versuchen Sie eine andere Suche.',
}
