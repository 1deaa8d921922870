/** Portuguese texts of the events page. */
import { formatCount, formatList, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/events/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

const eventCount = (count: number) => formatCount(count, { one: 'evento', other: 'eventos' })

export const events: Translation<typeof english.texts> = {
  title: 'Eventos',
  lead: 'Registre o que seus usuários fazem. Eventos iniciam fluxos e podem ser usados em condições de segmentos.',
  column: { event: 'Evento', contact: 'Contato', data: 'Dados', date: 'Data' },
  name: 'Nome do evento',
  allEvents: 'Todos os eventos',
  own: 'Seus eventos',
  system: 'Eventos de e-mails e segmentos',
  emptyTitle: 'Nenhum evento ainda',
  empty: 'Envie esta requisição para registrar o primeiro. Ela também cria o contato se o endereço for novo.',
  noMatchTitle: 'Nenhum evento encontrado',
  example: 'Exemplo em curl para registrar um evento',
  track: {
    open: 'Registrar um evento',
    lead: 'Envie esta requisição do seu site ou aplicativo. Um evento cria o contato se o endereço for novo.',
    save: 'Guardar as propriedades também como campos do contato',
    notSaved: '“data” contém as propriedades do evento. Com “persistent”: false, elas ficam somente no evento.',
    saved: 'Cada propriedade em “data” vira um campo do contato e substitui o valor dele.',
    more: 'Veja todas as opções na <docs>referência da API</docs>.',
  },
  chart: {
    title: (event: string) => `${event} por dia`,
    lead: (count: number) => `${eventCount(count)} neste período, por dia (UTC).`,
    period: 'Período',
    periods: { 30: 'Últimos 30 dias', 90: 'Últimos 90 dias', 365: 'Últimos 365 dias' },
    events: 'Eventos',
  },
  history: {
    open: 'Importar histórico',
    lead: 'Adicione eventos passados para que apareçam em gráficos e segmentos. Cada linha de um arquivo descreve um.',
    example: 'Exemplo de uma linha',
    rules:
      'Também funciona um arquivo CSV com as colunas email, event e timestamp. Eventos importados não iniciam fluxos nem alteram contatos. Os contatos precisam existir. Até 5 MB por arquivo.',
    docs: 'Ver os detalhes',
    file: 'Arquivo com eventos',
    choose: 'Escolher um arquivo',
    done: (imported: number, existing: number, skipped: number) =>
      [
        `${formatCount(imported, { one: 'evento importado', other: 'eventos importados' })}.`,
        ...(existing > 0
          ? [`${formatCount(existing, { one: 'evento já estava importado', other: 'eventos já estavam importados' })}.`]
          : []),
        ...(skipped > 0 ? [`${formatCount(skipped, { one: 'linha ignorada', other: 'linhas ignoradas' })}.`] : []),
      ].join(' '),
    skipped: 'Linhas ignoradas',
    column: { row: 'Linha', email: 'E-mail', reason: 'Motivo' },
  },
  counts: {
    title: 'Eventos mais frequentes',
    lead: 'Contados desde o início. Selecione um evento para ver quando aconteceu e para quais contatos.',
    contacts: (count: number, contacts: number) =>
      count === contacts
        ? pickPlural(contacts, { one: 'contato', other: 'contatos' })
        : `de ${shared.contacts(contacts)}`,
  },
  delete: {
    open: 'Excluir eventos',
    title: (name: string) => `Excluir todos os eventos “${name}”?`,
    action: 'Excluir eventos',
    effect: (events: number, contacts: number) =>
      `Isso exclui permanentemente ${eventCount(events)} de ${shared.contacts(contacts)}.`,
    usedBy: (names: string[]) =>
      `${formatList(names)} ${pickPlural(names.length, { one: 'não encontrará mais', other: 'não encontrarão mais' })} estes eventos.`,
    done: (events: number) => `${formatCount(events, { one: 'evento excluído', other: 'eventos excluídos' })}.`,
  },
}
