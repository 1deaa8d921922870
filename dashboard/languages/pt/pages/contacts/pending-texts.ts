/** Portuguese texts of the page of contacts who have not confirmed their subscription. */
import type * as english from '../../../../pages/contacts/pending-texts.ts'
import type { Translation } from '../../../translation.ts'

export const pending: Translation<typeof english.pendingTexts> = {
  title: 'Confirmações pendentes',
  lead: 'Pedimos a estes contatos que confirmassem a inscrição, mas eles ainda não confirmaram. Até lá, não recebem e-mails de marketing.',
  link: 'Confirmações pendentes',
  pending: 'Pendentes',
  asked: 'Solicitadas',
  confirmed: 'Confirmadas',
  rate: 'Taxa de confirmação',
  days: 'Últimos 30 dias',
  column: { email: 'E-mail', requested: 'Solicitada' },
  sendAgainTo: (email: string) => `Reenviar para ${email}`,
  emptyTitle: 'Nenhuma confirmação pendente',
  empty:
    'Com o double opt-in, os contatos esperam aqui até confirmarem a inscrição por e-mail, o que prova que concordaram. Ative-o em Configurações → Geral.',
  noMatchTitle: 'Nenhum contato encontrado',
  noMatch: 'Tente outra busca.',
}
