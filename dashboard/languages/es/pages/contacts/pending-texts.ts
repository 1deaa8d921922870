/** Spanish texts of the page of contacts who have not confirmed their subscription. */
import type * as english from '../../../../pages/contacts/pending-texts.ts'
import type { Translation } from '../../../translation.ts'

export const pending: Translation<typeof english.pendingTexts> = {
  title: 'Confirmaciones pendientes',
  lead: 'A estos contactos se les pidió que confirmaran su suscripción y aún no lo han hecho. Hasta entonces, no reciben correos de marketing.',
  link: 'Confirmaciones pendientes',
  pending: 'Pendientes',
  asked: 'Solicitadas',
  confirmed: 'Confirmadas',
  rate: 'Tasa de confirmación',
  days: 'Últimos 30 días',
  column: { email: 'Correo', requested: 'Solicitada' },
  sendAgainTo: (email) => `Volver a enviar a ${email}`,
  emptyTitle: 'Sin confirmaciones pendientes',
  empty:
    'Con la doble confirmación, los contactos esperan aquí hasta que confirman su suscripción por correo, lo que demuestra que dieron su consentimiento. Actívala en Ajustes → General.',
  noMatchTitle: 'Ningún contacto coincide',
  noMatch: 'Prueba con otra búsqueda.',
}
