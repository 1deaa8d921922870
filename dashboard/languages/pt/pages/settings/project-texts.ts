/** Portuguese texts of the settings pages about the project: its settings, branding, usage, billing and reputation. */
import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/settings/project-texts.ts'
import type { Translation } from '../../../translation.ts'
import { socialNetwork } from '../../shell/texts.ts'

const EMAILS = { one: 'e-mail', other: 'e-mails' }

export const project: Translation<typeof english.projectTexts> = {
  preferencePage: {
    title: 'Página de preferências',
    lead: 'Os contatos chegam a esta página com {{manageUrl}} e a partir das páginas de cancelamento de inscrição. Ela sempre tem os tópicos públicos e uma pausa.',
    offers: {
      language: 'Permitir que os contatos escolham seu idioma',
      timezone: 'Permitir que os contatos escolham seu fuso horário',
      dataDownload: 'Permitir que os contatos baixem seus dados',
    },
    hints: {
      language: 'Guardado no campo “locale”.',
      timezone: 'Guardado no campo “timezone”.',
      dataDownload: 'Qualquer pessoa com o link de um e-mail pode baixar o que está guardado sobre o contato.',
    },
    save: 'Salvar página de preferências',
    saved: 'Página de preferências salva.',
  },
  doubleOptIn: {
    title: 'Double opt-in',
    lead: 'Novos contatos confirmam a inscrição com um link em um e-mail antes de receber e-mails de marketing.',
    enabled: 'Pedir confirmação aos contatos adicionados pela API',
    template: 'E-mail de confirmação',
    templateHint: 'Seu próprio modelo precisa conter um link para {{confirmUrl}}.',
    standard: 'E-mail do Posthorn, no idioma do contato',
    redirectUrl: 'Página após a confirmação',
    redirectUrlHint:
      'Uma URL do seu site. Deixe em branco para mostrar uma página que informa que a inscrição foi confirmada.',
    save: 'Salvar double opt-in',
    saved: 'Double opt-in salvo.',
  },
  project: {
    name: 'Nome',
    tracking: 'Rastreamento de aberturas e cliques',
    trackingHint:
      'Registra quem abre e-mails e clica em links. E-mails que seus aplicativos enviam sem modelo nunca são rastreados.',
    trackingOptions: {
      ENABLED: 'Todos os e-mails com modelo',
      MARKETING_ONLY: 'Somente e-mails de marketing',
      DISABLED: 'Desativado',
    },
    language: 'Idioma',
    languageHint:
      'Usado no rodapé dos e-mails e nas páginas de cancelamento de inscrição de contatos sem idioma definido.',
    sendToBounced: 'Enviar a endereços com devolução',
    sendToBouncedHint:
      'Envia e-mails transacionais até a endereços suprimidos por causa de uma devolução permanente. Se esta opção estiver desativada, esses e-mails falham, o que protege sua reputação. E-mails de marketing nunca são enviados a eles.',
    publicKeyUpdates: 'Alterações com a chave pública',
    publicKeyUpdatesHint:
      'O que seu site pode alterar nos contatos ao registrar eventos. Um cancelamento de inscrição feito pelo contato nunca é desfeito.',
    publicKeyUpdatesOptions: {
      all: 'Dados e inscrição de todos os contatos',
      new: 'Dados e inscrição somente de novos contatos',
      none: 'Nada: somente eventos',
    },
    save: 'Salvar configurações',
    saved: 'Configurações salvas.',
    readOnly: 'Somente proprietários e administradores podem alterar estas configurações.',
  },
  branding: {
    title: 'Marca',
    address: 'Endereço postal',
    addressHint: 'Exibido no rodapé dos e-mails de marketing. Muitos países o exigem.',
    addressInContent: 'Os próprios e-mails contêm o endereço postal',
    addressInContentHint: 'Nesse caso, as verificações não pedem um endereço no rodapé.',
    logo: 'URL do logotipo',
    logoHint: 'Carregue uma imagem ou informe a URL de uma no seu site.',
    uploadLogo: 'Carregar logotipo',
    color: 'Cor da marca',
    font: 'Fonte',
    darkMode: 'Cores escuras no modo escuro',
    darkModeHint:
      'Se os e-mails visuais ficam escuros para quem usa o modo escuro. E-mails com configuração própria a mantêm.',
    darkModes: { '': 'Decidir em cada e-mail', true: 'Ativado', false: 'Desativado' },
    fonts: { '': 'Padrão', sans: 'Sem serifa', serif: 'Com serifa', rounded: 'Arredondada', mono: 'Monoespaçada' },
    colors: {
      background: 'Fundo',
      contentBackground: 'Fundo do conteúdo',
      textColor: 'Cor do texto',
      linkColor: 'Cor dos links',
    },
    social: 'Redes sociais',
    network: 'Rede',
    networks: socialNetwork,
    socialUrl: 'URL',
    addLink: 'Adicionar link',
    removeLink: 'Remover link',
    save: 'Salvar marca',
    saved: 'Marca salva.',
    preview: {
      title: 'Prévia',
      heading: 'Boas-vindas ao seu novo plano',
      text: 'Está tudo pronto. Leia o <link>guia de introdução</link> para conhecer os primeiros passos.',
      button: 'Abrir painel',
      unsubscribe: 'Cancelar inscrição',
    },
  },
  danger: {
    title: 'Zona de perigo',
    reset: 'Redefinir projeto',
    resetLead:
      'Exclui todos os contatos, eventos, modelos e outros dados. O próprio projeto, suas chaves de API, membros e domínios são mantidos. Não é possível desfazer essa ação.',
    resetTitle: (project: string) => `Redefinir ${project}?`,
    resetEffect:
      'Isso exclui permanentemente todos os contatos, eventos, modelos, campanhas, segmentos, fluxos e e-mails deste projeto.',
    resetDone: 'Projeto redefinido.',
    delete: 'Excluir projeto',
    deleteLead:
      'Exclui o projeto e todos os seus dados. As chaves de API param de funcionar imediatamente. Não é possível desfazer essa ação.',
    deleteTitle: (project: string) => `Excluir ${project}?`,
    deleteEffect: 'Isso exclui permanentemente o projeto e todos os seus dados.',
  },
  usage: {
    sources: {
      transactional: 'Transacionais',
      campaigns: 'Campanhas',
      workflows: 'Fluxos',
      inbound: 'Recebidos',
    },
    limitsTitle: 'Limites mensais',
    limitsLead: 'E-mails além de um limite são rejeitados. Deixe um campo em branco para não ter limite.',
    noLimit: 'Sem limite',
    used: (count: number) => `${formatCount(count, EMAILS)} neste mês`,
    saveLimits: 'Salvar limites',
    limitsSaved: 'Limites salvos.',
    historyTitle: 'Uso mensal',
    historyLead:
      'Os e-mails contam quando são aceitos, mesmo que no fim não sejam enviados; por isso, o número pode ser maior que o de e-mails enviados em Reputação. Os meses começam à meia-noite (UTC).',
    ofSource: (count: number, source: string) => `${source} ${formatNumber(count)}`,
    month: 'Mês',
    total: 'Total',
  },
  billing: {
    offTitle: 'A cobrança está desativada',
    off: 'Esta instalação não cobra por e-mails.',
    offOperator:
      'Esta instalação não cobra por e-mails. Para ativar assinaturas e faturas, defina <secretKey/> e <priceId/>. Os limites mensais funcionam em ambos os casos.',
    subscription: 'Assinatura',
    noSubscription: 'Você ainda não tem uma assinatura.',
    renews: (status: string) => `${status}, renovação em <time/>`,
    ends: (status: string) => `${status}, término em <time/>`,
    openPortal: 'Abrir portal de cobrança',
    subscribe: 'Assinar',
    invoices: 'Faturas',
    noInvoicesTitle: 'Nenhuma fatura ainda',
    noInvoices: 'A Stripe cria uma fatura ao final de cada período de cobrança. Você pode vê-la e baixá-la aqui.',
    column: { invoice: 'Fatura', status: 'Status', amount: 'Valor', created: 'Criação' },
    draft: 'Rascunho',
    view: 'Ver',
    viewInvoice: (number: string | null) => (number ? `Ver fatura ${number}` : 'Ver fatura'),
    pdf: 'PDF',
    pdfInvoice: (number: string | null) => (number ? `Baixar fatura ${number} em PDF` : 'Baixar fatura em PDF'),
  },
  security: {
    status: 'Status',
    statuses: {
      healthy: { label: 'Saudável', advice: 'Suas taxas de devolução e de spam estão baixas.' },
      warning: {
        label: 'Alerta',
        advice:
          'Sua taxa de devolução ou de denúncias está alta. Envie somente para quem pediu para receber seus e-mails.',
      },
      critical: {
        label: 'Crítico',
        advice:
          'Provedores de e-mail podem rejeitar e-mails de remetentes com taxas como estas. Pause suas campanhas e remova os contatos que não pediram seus e-mails.',
      },
    },
    disabled: (reason: string | null) =>
      reason ? `O envio está desativado. Motivo: ${reason}` : 'O envio está desativado. Fale com seu administrador.',
    periods: { sevenDay: 'Últimos 7 dias', allTime: 'Todo o período' },
    from: {
      warning: (rate: string) => `Alerta a partir de ${rate}`,
      critical: (rate: string) => `Crítico a partir de ${rate}`,
    },
    bouncedEmails: 'Ver e-mails devolvidos',
    complainedEmails: 'Ver e-mails denunciados como spam',
    meaning: 'Como as taxas são avaliadas',
    period: (emails: number) =>
      `Os últimos 7 dias contam se você enviou pelo menos ${formatCount(emails, EMAILS)} neles. Caso contrário, contam todos os e-mails. E-mails excluídos estão incluídos.`,
    atWarning: '<level>Alerta:</level> a visão geral mostra um aviso. Seus e-mails continuam sendo enviados.',
    atCritical:
      '<level>Crítico:</level> provedores de e-mail podem começar a rejeitar seus e-mails. Se esta instalação usa <setting/>, o projeto é desativado e não pode enviar até que o operador o ative novamente.',
    suppressed:
      'Endereços com devolução permanente ou denúncia de spam não recebem mais e-mails de marketing. Veja as <link>supressões</link>.',
    bounces: 'Devoluções permanentes',
    complaints: 'Denúncias de spam',
    countOf: (count: number, sent: number) => `${formatNumber(count)} de ${formatCount(sent, EMAILS)}`,
    minimum: (count: number) => `Sua reputação é avaliada depois que você tiver enviado ${formatCount(count, EMAILS)}.`,
  },
}
