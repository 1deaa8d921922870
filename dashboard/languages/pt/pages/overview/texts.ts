/** Portuguese texts of the overview page. */
import { formatCount, formatNumber, formatPercent, pickPlural } from '../../../../figures/format.ts'
import type { HighRate } from '../../../../figures/reputation.ts'
import type * as english from '../../../../pages/overview/texts.ts'
import type { Translation } from '../../../translation.ts'

export const overview: Translation<typeof english.texts> = {
  title: 'Visão geral',
  lead: (project: string) => `Atividade recente em ${project}.`,
  leadNew: 'Configure seu projeto e envie seu primeiro e-mail.',
  contacts: 'Contatos',
  sent: 'Enviados (30 dias)',
  openRate: 'Taxa de abertura',
  bounceRate: 'Taxa de devolução',
  running: {
    campaigns: 'Campanhas atuais',
    progress: (sent: number, total: number) =>
      `${formatNumber(sent)} de ${formatCount(total, { one: 'enviado', other: 'enviados' })}`,
    starts: 'Início: <time/>',
    workflows: 'Fluxos ativados',
    trigger: (event: string | undefined) => (event ? `Inicia com “${event}”` : 'Início manual'),
    executions: (active: number, completed: number) =>
      `${formatNumber(active)} em andamento · ${formatCount(completed, { one: 'concluída', other: 'concluídas' })} nos últimos 7 dias`,
    allWorkflows: (count: number) => `Ver todos os ${formatNumber(count)} fluxos`,
  },
  alerts: {
    disabled: 'O envio está desativado.',
    highRate: ({ kind, count, sent, rate, period, level, threshold }: HighRate) => {
      const outcome =
        kind === 'bounces'
          ? pickPlural(count, { one: 'foi devolvido', other: 'foram devolvidos' })
          : pickPlural(count, { one: 'foi denunciado como spam', other: 'foram denunciados como spam' })
      const when = period === 'sevenDay' ? 'nos últimos 7 dias' : 'desde a criação do projeto'
      const limit = `o limite ${level === 'critical' ? 'crítico' : 'de alerta'} de ${formatPercent(threshold, 2)}`
      return `${formatNumber(count)} de ${formatCount(sent, { one: 'e-mail', other: 'e-mails' })} (${formatPercent(rate, 2)}) ${outcome} ${when}, o que atinge ${limit}.`
    },
    viewReputation: 'Ver reputação',
    domainPending: (domain: string) =>
      `${domain} ainda não foi verificado, portanto você não pode enviar desse domínio.`,
    domainFailed: (domain: string) =>
      `Os registros DNS de ${domain} não foram encontrados, portanto você não pode enviar desse domínio.`,
    viewDomain: 'Ver registros DNS',
    campaignHeld: (name: string, reason: string) => `Não é possível enviar “${name}”. Motivo: ${reason}`,
    viewCampaign: 'Ver campanha',
    endpointFailing: (url: string) => `As requisições ao endpoint de webhook ${url} estão falhando.`,
    endpointDisabled: (url: string) =>
      `O Posthorn desativou o endpoint de webhook ${url} porque as requisições falharam. Ele não recebe eventos.`,
    viewEndpoint: 'Ver endpoint',
    failedStep: (name: string | null, webhook: boolean) =>
      webhook ? (name ? `O webhook “${name}”` : 'Um webhook') : name ? `A etapa “${name}”` : 'Uma etapa',
    stepFailed: (step: string, workflow: string, count: number, error: string | null) =>
      `${step} em “${workflow}” falhou para ${formatCount(count, { one: 'contato', other: 'contatos' })} nas últimas 24 horas.${error ? ` Último erro: ${error}` : ''}`,
    viewFailures: 'Ver falhas',
  },
  chart: {
    title: 'E-mails nos últimos 30 dias',
    lead: 'Envios, entregas, aberturas, cliques e devoluções são contados no dia em que acontecem (UTC).',
    leadRates:
      'Taxas de cada dia (UTC), sem o dia de hoje. Aberturas, cliques e devoluções são contados no dia em que acontecem.',
    label: 'E-mails por dia',
    view: 'Exibição',
    views: { counts: 'Números', rates: 'Taxas' },
    sent: 'Enviados',
    delivered: 'Entregues',
    opened: 'Abertos',
    clicked: 'Clicados',
    bounced: 'Devolvidos',
  },
  recent: {
    title: 'E-mails recentes',
    viewAll: 'Ver todos os e-mails',
    emptyTitle: 'Nenhum e-mail ainda',
    empty: 'Os e-mails que você envia aparecem aqui com o status. Envie o primeiro pela API ou a partir de um modelo.',
    email: 'E-mail',
    status: 'Status',
    date: 'Data',
  },
  checklist: {
    title: 'Primeiros passos',
    titleNew: (project: string) => `Boas-vindas a ${project}`,
    lead: (done: number, total: number) =>
      `${formatNumber(done)} de ${formatCount(total, { one: 'passo concluído', other: 'passos concluídos' })}.`,
    verifyDomain: 'Verificar um domínio',
    addDomain: 'Adicionar seu domínio',
    addContact: 'Adicionar um contato',
    createTemplate: 'Criar um modelo',
    sendEmail: 'Enviar um e-mail',
    sendCampaign: 'Enviar uma campanha',
    enableWorkflow: 'Ativar um fluxo',
    done: '(concluído)',
    open: '(não concluído)',
    sendTest: 'Receber e-mail de teste',
    sendTestLead: (address: string, captured: boolean) =>
      captured
        ? `Envia um e-mail para ${address}. No modo de teste, ele é guardado aqui e não é enviado.`
        : `Envia um e-mail do seu projeto para ${address}.`,
    needsDomain:
      'Adicione o domínio de envio e inclua os registros dele no seu DNS para provar que ele é seu. Depois, você pode enviar seu primeiro e-mail daqui ou do seu código.',
    testSubject: 'Olá do Posthorn',
    testBody: '<h1>Funcionou</h1><p>Este e-mail foi enviado pelo seu projeto.</p>',
    waiting: 'Aguardando seu primeiro e-mail…',
    arrived: 'Seu primeiro e-mail foi enviado:',
    orFromCode: 'Ou envie um e-mail do seu código',
  },
  examples: {
    label: 'Exemplos de requisições',
    example: (name: string) => `Exemplo em ${name}`,
    secretAbove:
      'Substitua sk_… pela sua chave secreta, que termina em <suffix/>. Se você não a tiver mais, substitua as chaves acima.',
    secretHidden:
      'Substitua sk_… pela sua chave secreta, que termina em <suffix/>. Você pode criar novas chaves nas <link>configurações</link>.',
  },
}
