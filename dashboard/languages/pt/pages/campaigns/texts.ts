/** Portuguese texts of the campaign pages: list, campaign, editor and sending. */
import { formatCount, formatDuration, formatList, formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/campaigns/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

const EMAILS = { one: 'e-mail', other: 'e-mails' }

/** "2,5 pontos acima da média", "na média". */
function againstAverage(difference: number): string {
  const value = Math.round(Math.abs(difference) * 1000) / 10
  if (value === 0) return 'na média'
  return `${formatCount(value, { one: 'ponto', other: 'pontos' })} ${difference > 0 ? 'acima' : 'abaixo'} da média`
}

const REASONS = {
  notSubscribed: { one: 'não inscrito', other: 'não inscritos' },
  pendingConfirmation: { one: 'com confirmação pendente', other: 'com confirmação pendente' },
  paused: { one: 'que pausou os e-mails de marketing', other: 'que pausaram os e-mails de marketing' },
  topic: { one: 'que não recebe este tópico', other: 'que não recebem este tópico' },
  suppressed: { one: 'suprimido', other: 'suprimidos' },
  frequencyCap: { one: 'que atingiu o limite de frequência', other: 'que atingiram o limite de frequência' },
  sunset: {
    one: 'que não abre nem clica em nada (regra de inatividade)',
    other: 'que não abrem nem clicam em nada (regra de inatividade)',
  },
}

const WEEKDAYS = {
  1: 'Segunda-feira',
  2: 'Terça-feira',
  3: 'Quarta-feira',
  4: 'Quinta-feira',
  5: 'Sexta-feira',
  6: 'Sábado',
  7: 'Domingo',
}

interface Rule {
  every: 'day' | 'week' | 'month'
  time: string
  timezone: string
  weekdays: number[] | null
  day: number | null
}

/** "Toda semana (segunda-feira e sábado), às 09:00 (America/Sao_Paulo)." */
function describeRule({ every, time, timezone, weekdays, day }: Rule): string {
  const days = (weekdays ?? []).map((weekday) => WEEKDAYS[weekday as keyof typeof WEEKDAYS].toLowerCase())
  const when = { day: 'Todos os dias', week: `Toda semana (${formatList(days)})`, month: `Todo mês, no dia ${day}` }[
    every
  ]
  return `${when}, às ${time} (${timezone}).`
}

export const campaigns: Translation<typeof english.texts> = {
  title: 'Campanhas',
  lead: 'Envie um e-mail a muitos contatos, na hora ou em um horário agendado.',
  create: 'Criar campanha',
  column: {
    name: 'Nome',
    status: 'Status',
    sent: 'Enviados',
    openRate: 'Abertura',
    clickRate: 'Cliques',
    date: 'Data',
  },
  progress: (sent: number, total: number) =>
    sent === total ? formatNumber(sent) : `${formatNumber(sent)} de ${formatNumber(total)}`,
  dates: {
    SENT: 'Enviada: <time/>',
    SENDING: 'Iniciada: <time/>',
    SCHEDULED: 'Início: <time/>',
    CANCELLED: 'Cancelada: <time/>',
    DRAFT: 'Editada: <time/>',
  },
  results: (sent: number, openRate: string, clickRate: string) =>
    `${formatCount(sent, { one: 'enviado', other: 'enviados' })} · ${openRate} abertos · ${clickRate} clicados`,
  search: 'Buscar campanhas',
  status: 'Status',
  anyStatus: 'Qualquer status',
  sort: 'Ordenar por',
  sorts: { '': 'Mais recentes', updatedAt: 'Edição mais recente', name: 'Nome' },
  emptyTitle: 'Nenhuma campanha ainda',
  empty:
    'Uma campanha envia um e-mail a todos os contatos, a um segmento ou a contatos que correspondem a uma condição. Acompanhe aberturas e cliques à medida que acontecem.',
  noMatchTitle: 'Nenhuma campanha encontrada',
  noMatch: 'Tente outra busca ou outro status.',
  one: {
    title: 'Campanha',
    startsAt: 'Início em <time/>',
    started: 'Iniciada em <time/>',
    startedAndEnded: 'Iniciada em <start/>, concluída em <end/>',
    updated: 'Última edição: <time/>',
    notStarted: (reason: string) => `A campanha não começou no horário agendado. Motivo: ${reason}`,
    content: 'Conteúdo',
    contentLead: 'Prévia com um contato de exemplo.',
    contentLeadWithClicks:
      'Prévia com um contato de exemplo. Cada marca mostra quantos destinatários clicaram no link e o percentual deles nos e-mails entregues.',
    canceled: 'Cancelada em <time/>',
    preview: 'Prévia da campanha',
    subject: 'Assunto',
    from: 'De',
    replyTo: 'Responder para',
    audience: 'Público',
    segment: (name: string) => `Segmento “${name}”`,
    audiences: {
      ALL: 'Todos os contatos',
      SEGMENT: 'Um segmento',
      FILTERED: 'Contatos que correspondem a uma condição',
    },
  },
  actions: {
    edit: 'Editar campanha',
    test: 'Envia um e-mail com o último conteúdo salvo. E-mails de teste não entram nas estatísticas.',
    pause: 'Pausar campanha',
    resume: 'Retomar campanha',
    paused: 'Campanha pausada.',
    resumed: 'Campanha retomada.',
    cancel: 'Cancelar campanha',
    cancelTitle: 'Cancelar esta campanha?',
    keep: 'Manter campanha',
    cancelScheduled: 'Nada foi enviado ainda, e a campanha não vai começar. Duplique-a para enviá-la depois.',
    cancelSending: (sent: number, pending: number) =>
      `${formatCount(sent, { one: 'e-mail já foi enviado e não pode mais ser cancelado', other: 'e-mails já foram enviados e não podem mais ser cancelados' })}; ${formatCount(pending, { one: 'não será enviado', other: 'não serão enviados' })}. Duplique a campanha para enviá-la novamente.`,
    cancelled: 'Campanha cancelada.',
    duplicated: 'Campanha duplicada como rascunho.',
    followUps: {
      NOT_OPENED: 'Retomar o contato com quem não abriu',
      OPENED: 'Retomar o contato com quem abriu',
      CLICKED: 'Retomar o contato com quem clicou',
      NOT_CLICKED: 'Retomar o contato com quem não clicou',
    },
    followUpCreated: 'Rascunho criado. O público dele é um novo segmento com estes destinatários.',
    deleted: 'Campanha excluída.',
    delete: { title: 'Excluir esta campanha?', action: 'Excluir campanha' },
    deleteEffect:
      'A campanha e suas estatísticas serão excluídas permanentemente. Os e-mails já enviados são mantidos. Para excluir uma campanha que ainda está sendo enviada, cancele-a antes.',
  },
  audience: {
    title: 'Público',
    legend: 'Tipo de público',
    kinds: {
      ALL: { title: 'Todos os contatos', hint: 'Todos os contatos que podem receber este e-mail.' },
      SEGMENT: { title: 'Um segmento', hint: 'Os contatos que estiverem no segmento quando o envio começar.' },
      FILTERED: { title: 'Uma condição', hint: 'Contatos que correspondem à condição que você definir abaixo.' },
    },
    segment: 'Segmento',
    incomplete: 'Escolha um público para ver quantos contatos ele inclui.',
    counting: 'Contando contatos…',
    count: (count: number) =>
      `<strong>${shared.contacts(count)}</strong> ${count === 1 ? 'receberá' : 'receberão'} esta campanha.`,
    left: (total: number, reasons: Array<{ reason: keyof typeof REASONS; count: number }>) => {
      if (reasons.length === 0) return ''
      const parts = reasons.map(({ reason, count }) => formatCount(count, REASONS[reason]))
      return `${pickPlural(total, { one: 'Do', other: 'Dos' })} ${shared.contacts(total)} deste público, não receberão a campanha: ${parts.join(', ')}.`
    },
  },
  editor: {
    createTitle: 'Criar campanha',
    createLead: 'Nada é enviado até que você revise a campanha na próxima página.',
    save: 'Salvar campanha',
    saved: 'Campanha salva.',
    parts: { audience: 'Público', utm: 'Parâmetros dos links', feed: 'Feed', experiment: 'Experimento' },
    scheduled: (zone: string) =>
      `Esta campanha está agendada para <time/> (${zone}). As alterações que você salvar serão incluídas no envio.`,
    template: 'Começar com um modelo',
    gallery: 'Escolher um design',
    galleryTitle: 'Começar com um design da galeria',
    galleryLead: 'E-mails prontos com a aparência do seu projeto. Seu remetente e seu público não mudam.',
    templateCopied: (name: string) => `Conteúdo copiado de “${name}”.`,
    typeKept: 'A campanha continua indo somente para contatos inscritos. Para mudar isso, edite o tipo dela.',
    replaceTitle: 'Substituir o conteúdo desta campanha?',
    replaceEffect: (name: string) =>
      `O assunto, o corpo, o remetente e o tipo desta campanha serão substituídos pelos do modelo “${name}”. Um modelo transacional não altera o tipo. Você pode desfazer isso até salvar ou sair da página.`,
    replace: 'Substituir conteúdo',
    keepContent: 'Manter conteúdo',
    test: 'Envia o conteúdo atual, incluindo alterações não salvas. E-mails de teste não criam contatos nem entram nas estatísticas.',
  },
  links: {
    title: 'Links',
    lead: 'Os parâmetros UTM informam à sua ferramenta de análise que os visitantes vêm desta campanha.',
    mode: 'Parâmetros UTM',
    project: 'Os do projeto',
    projectNone: 'Os do projeto: nenhum',
    own: 'Somente para esta campanha',
    none: 'Nenhum',
    parts: { source: 'Origem', medium: 'Mídia', campaign: 'Campanha' },
  },
  feed: {
    title: 'Feed',
    lead: 'Mostre no e-mail as publicações de um blog ou dados do seu próprio servidor.',
    format: 'Origem',
    formats: { '': 'Nenhuma', rss: 'Feed RSS ou Atom', json: 'JSON' },
    url: 'Endereço',
    hints: {
      rss: 'No e-mail, os itens estão em feed.items. O feed é consultado uma vez, quando a campanha começa.',
      json: 'No e-mail, os dados estão em feed. Eles são consultados uma vez, quando a campanha começa.',
    },
    maxItems: 'Máximo de itens',
    check: 'Verificar feed',
  },
  recurrence: {
    title: 'Recorrência',
    lead: 'A campanha continua como rascunho. A cada vez, é enviada uma cópia dela, como estiver naquele momento.',
    none: 'Envie uma cópia deste rascunho todos os dias, semanas ou meses.',
    rule: describeRule,
    next: 'A próxima cópia será enviada em <time/>.',
    states: { active: '', paused: 'Pausada.', ended: 'Encerrada.' },
    sent: (count: number) =>
      `${formatCount(count, { one: 'campanha enviada', other: 'campanhas enviadas' })} até agora.`,
    last: 'Última vez, <time/>:',
    show: 'Mostrar campanha',
    history: 'Histórico',
    historyLead: 'O que aconteceu a cada vez, da mais recente à mais antiga.',
    at: 'Hora',
    outcome: 'Resultado',
    more: 'Mostrar mais',
    copyOf: 'Enviada por uma <link>campanha recorrente</link>',
    badge: 'Recorrente',
    add: 'Adicionar recorrência',
    change: 'Alterar recorrência',
    save: 'Salvar recorrência',
    saved: 'Recorrência salva.',
    pause: 'Pausar recorrência',
    paused: 'Recorrência pausada.',
    resume: 'Retomar recorrência',
    resumed: 'Recorrência retomada.',
    remove: 'Excluir recorrência',
    removeTitle: 'Excluir esta recorrência?',
    removeEffect: 'Nenhuma outra cópia será enviada. O rascunho e as campanhas já enviadas são mantidos.',
    removed: 'Recorrência excluída.',
    every: 'A cada',
    periods: { day: 'Dia', week: 'Semana', month: 'Mês' },
    weekday: 'Dias da semana',
    weekdays: WEEKDAYS,
    day: 'Dia do mês',
    dayHint: 'Em um mês mais curto, é o último dia.',
    time: 'Hora',
    timezone: 'Fuso horário',
    startsOn: 'Primeira data (opcional)',
    endsOn: 'Última data (opcional)',
    count: 'Número de campanhas (opcional)',
    useTemplate: 'Usar o conteúdo que o modelo tiver naquele momento',
  },
  archive: {
    title: 'Arquivo público',
    lead: 'Uma página na web, e um feed Atom, com as campanhas que você torna públicas.',
    show: 'Mostrar esta campanha no arquivo público',
    onceSent: 'Ela aparece lá depois de enviada.',
    shown: 'A campanha é pública.',
    hidden: 'A campanha não é mais pública.',
    openCampaign: 'Abrir esta campanha no arquivo',
    openArchive: 'Abrir arquivo',
    openFeed: 'Feed Atom',
    off: 'O arquivo deste projeto está desativado. <link>Ative-o nas configurações</link>',
    offForMembers:
      'O arquivo deste projeto está desativado. Proprietários e administradores podem ativá-lo nas configurações.',
  },
  send: {
    open: 'Enviar campanha',
    changeTime: 'Alterar horário',
    openScheduled: 'Enviar ou reagendar campanha',
    title: (name: string) => `Enviar “${name}”`,
    when: 'Quando',
    times: { now: { title: 'Agora' }, later: { title: 'Agendar para depois' } },
    dateTime: 'Data e hora',
    timeZone: (zone: string) => `Seu fuso horário é ${zone}.`,
    submitNow: (count: number | undefined) =>
      count === undefined ? 'Enviar campanha' : `Enviar para ${shared.contacts(count)}`,
    submitLater: (count: number | undefined) =>
      count === undefined ? 'Agendar campanha' : `Agendar para ${shared.contacts(count)}`,
    scheduled: 'Campanha agendada.',
    started: 'Campanha iniciada.',
  },
  live: {
    progress: (done: number, total: number) =>
      `${formatNumber(done)} de ${formatCount(total, { one: 'processado', other: 'processados' })}`,
    paused: (done: number, total: number) => `Pausada em ${formatNumber(done)} de ${formatNumber(total)}`,
    pausedHint: 'Nenhum outro e-mail é enviado até você retomar a campanha.',
    waiting: {
      warmUp:
        'O domínio do remetente está em aquecimento e já enviou seus e-mails de marketing de hoje. O envio continua em <until/>.',
      quietHours: 'Este é o horário de silêncio do projeto. O envio continua em <until/>.',
    },
    nextWave: 'Os e-mails previstos até agora foram enviados. O envio continua em <until/>.',
    winner: 'O teste do experimento foi enviado. O restante espera pela vencedora.',
    rate: (perSecond: number | undefined) =>
      perSecond === undefined ? 'Medindo a velocidade…' : `${formatCount(Math.round(perSecond), EMAILS)} por segundo`,
    timeLeft: (seconds: number | undefined) => {
      if (seconds === undefined) return 'Estimando o tempo restante…'
      return seconds < 60 ? 'Falta menos de um minuto' : `Tempo restante: cerca de ${formatDuration(seconds)}`
    },
  },
  recipients: {
    title: 'Destinatários',
    column: { email: 'E-mail', status: 'Status', opens: 'Aberturas', clicks: 'Cliques', sent: 'Envio' },
    empty: 'Nenhum destinatário com este status.',
    total: (count: number) => formatCount(count, { one: 'destinatário', other: 'destinatários' }),
    retry: (count: number) =>
      `Tentar novamente ${formatCount(count, { one: 'e-mail com falha', other: 'e-mails com falha' })}`,
    retried: (count: number) =>
      `${formatCount(count, { one: 'e-mail recolocado na fila', other: 'e-mails recolocados na fila' })}.`,
  },
  report: {
    byHour: 'Aberturas e cliques por hora',
    byDay: 'Aberturas e cliques por dia',
    engagementLead: (since: string) =>
      `Desde o início do envio, em ${since}. Cada destinatário é contado uma vez, na primeira abertura e no primeiro clique.`,
    opened: 'Aberturas',
    clicked: 'Cliques',
    time: 'Hora',
    interval: (at: string, opened: number, clicked: number) =>
      `${at}: ${formatCount(opened, { one: 'abertura', other: 'aberturas' })}, ${formatCount(clicked, { one: 'clique', other: 'cliques' })}`,
    links: 'Links',
    linksLead:
      'Destinatários que clicaram em cada link, como percentual dos e-mails entregues, da mesma forma que a taxa de cliques. Um destinatário pode clicar em vários.',
    link: 'Link',
    clicks: 'Cliques',
    bounces: 'Devoluções',
    bouncesLead: 'Agrupadas por domínio do destinatário e pela resposta do servidor de destino.',
    domain: 'Domínio',
    count: 'E-mails',
    noReason: 'Sem motivo informado',
    bounceRate: 'Taxa de devolução',
    thisCampaign: 'Esta campanha',
    comparison: (count: number) =>
      `Comparação com ${formatCount(count, { one: 'campanha anterior', other: 'campanhas anteriores' })} com o mesmo tempo de envio`,
    comparisonLead: (age: string, opens: number, clicks: number) =>
      `Cada uma ${age} após o início do envio. A taxa de abertura está ${againstAverage(opens)}, e a taxa de cliques está ${againstAverage(clicks)}.`,
  },
  stats: {
    label: 'Estatísticas',
    sent: 'Enviados',
    delivered: 'Entregues',
    opened: 'Abertos',
    clicked: 'Clicados',
    bounced: 'Devolvidos',
    unsubscribed: 'Cancelamentos',
    complained: 'Denúncias de spam',
    conversions: (count: number, share: string, revenue: string) =>
      `${formatCount(count, { one: 'conversão', other: 'conversões' })}, ${share} dos e-mails entregues${revenue && `, no valor de ${revenue}`}`,
    skipped: {
      frequencyCap: (count: number) =>
        `${formatCount(count, { one: 'e-mail foi ignorado', other: 'e-mails foram ignorados' })} por causa do limite de frequência`,
      sunset: (count: number) =>
        `${formatCount(count, { one: 'e-mail foi ignorado', other: 'e-mails foram ignorados' })} por causa da regra de inatividade`,
    },
  },
}
