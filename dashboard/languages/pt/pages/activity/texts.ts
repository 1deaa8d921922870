/** Portuguese texts of the activity page. */
import { formatCount } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/activity/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

export const activity: Translation<typeof english.texts> = {
  title: 'Atividade',
  lead: 'Tudo o que acontece neste projeto, em tempo real.',
  type: 'Tipo',
  allTypes: 'Toda a atividade',
  categories: {
    emails: 'Todos os e-mails',
    contacts: 'Todas as alterações de contatos',
    campaigns: 'Todas as campanhas',
    workflows: 'Todos os fluxos',
    tracked: 'Todos os seus eventos',
  },
  period: 'Período',
  periods: { '': 'Qualquer data', 1: 'Hoje', 7: 'Últimos 7 dias', 30: 'Últimos 30 dias' },
  clearFilters: 'Limpar filtros',
  onlyContact: (email: string) => `Mostrar só a atividade de ${email}`,
  group: (times: number, contacts: number) =>
    contacts === times
      ? shared.contacts(contacts)
      : [formatCount(times, { one: 'vez', other: 'vezes' }), ...(contacts > 0 ? [shared.contacts(contacts)] : [])].join(
          ' · ',
        ),
  older: 'Mostrar atividade anterior',
  noMatchTitle: 'Nenhuma atividade encontrada',
  noMatch: 'Tente outro tipo ou período.',
  live: 'Ao vivo',
  paused: 'Pausado',
  connecting: 'Conectando…',
  pause: 'Pausar atualizações',
  resume: 'Retomar atualizações',
  emptyTitle: 'Nenhuma atividade ainda',
  empty:
    'E-mails, eventos, campanhas e fluxos aparecem aqui à medida que acontecem. Envie um e-mail ou registre um evento para ver a primeira entrada.',
  latest: 'Atividade mais recente',
  sendFirst: 'Enviar seu primeiro e-mail',
  upcoming: {
    title: 'Próximos',
    empty: 'Nada está agendado. Campanhas e e-mails agendados e contatos em espera nos fluxos aparecem aqui.',
    unnamed: 'Sem nome',
    campaignStarts: 'Campanha agendada',
    emailSent: (email: string | undefined) => `E-mail agendado para ${email ?? 'um contato'}`,
    waits: (email: string | undefined, event: string) => `Fluxo: ${email ?? 'um contato'} espera por “${event}”`,
    continues: (email: string | undefined) => `Fluxo: próxima etapa para ${email ?? 'um contato'}`,
  },
}
