/** Portuguese texts of the analytics page. */
import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/analytics/texts.ts'
import type { Translation } from '../../../translation.ts'

const fileNames: Record<string, string> = {
  campaign: 'campanha',
  template: 'modelo',
  workflow: 'fluxo',
  domain: 'dominio',
}

export const analytics: Translation<typeof english.texts> = {
  title: 'Análises',
  lead: 'Veja o desempenho dos seus e-mails ao longo do tempo.',
  period: 'Período',
  periods: { 7: 'Últimos 7 dias', 30: 'Últimos 30 dias', 90: 'Últimos 90 dias', 365: 'Últimos 365 dias' },
  exportCsv: 'Exportar CSV',
  emails: (count: number) => formatCount(count, { one: 'e-mail', other: 'e-mails' }),
  sent: 'Enviados',
  delivered: 'Entregues',
  opened: 'Abertos',
  clicked: 'Clicados',
  bounced: 'Devolvidos',
  complained: 'Denúncias de spam',
  chart: {
    title: 'E-mails por dia',
    titleRates: 'Taxas por dia',
    problems: 'Devoluções e denúncias de spam',
    emptyTitle: 'Nenhum e-mail neste período',
    empty: 'Quando você enviar e-mails, este gráfico mostrará entregas, aberturas, cliques e devoluções por dia.',
    toCampaigns: 'Ir para campanhas',
    lead: 'Envios, entregas, aberturas, cliques e devoluções são contados no dia em que acontecem (UTC).',
    leadRates:
      'Taxas de cada dia (UTC), sem o dia de hoje. Aberturas, cliques e devoluções são contados no dia em que acontecem.',
    show: 'Mostrar',
    shows: { counts: 'Números', rates: 'Taxas' },
    compareSent: 'Comparar envios com o período anterior',
    compareOpened: 'Comparar taxa de abertura com o período anterior',
    sentBefore: 'Enviados, período anterior',
    openedBefore: 'Abertos, período anterior',
    showTable: 'Mostrar como tabela',
    table: 'Tabela de e-mails por dia',
    day: 'Dia',
    file: (days: { date: string }[]) => `e-mails-${days[0]?.date}-a-${days.at(-1)?.date}.csv`,
  },
  breakdown: {
    title: 'Detalhamento',
    by: {
      campaign: 'Campanhas',
      template: 'Modelos',
      workflow: 'Fluxos',
      domain: 'Domínios dos destinatários',
    },
    domainOnPhone: 'Domínios',
    name: { campaign: 'Campanha', template: 'Modelo', workflow: 'Fluxo', domain: 'Domínio' },
    empty: 'Nenhum e-mail para detalhar neste período.',
    rates: (delivered: string, clicked: string, bounced: string) =>
      `${delivered} entregues · ${clicked} clicados · ${bounced} devolvidos`,
    deleted: 'Excluído',
    lead: 'E-mails aceitos neste período, incluindo suas aberturas e seus cliques posteriores.',
    first: (count: number) => `${formatNumber(count)} principais por número de e-mails neste período.`,
    file: (by: string, { from, to }: { from: string; to: string }) =>
      `e-mails-por-${fileNames[by] ?? by}-${from}-a-${to}.csv`,
  },
  topEvents: {
    title: 'Principais eventos',
    empty: 'Nenhum evento foi registrado neste período.',
  },
}
