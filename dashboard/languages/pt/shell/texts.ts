/** Portuguese texts that several pages share: navigation, dialogs, lists, errors and statuses. */
import { formatCount, formatNumber, formatPercent } from '../../../figures/format.ts'
import type * as english from '../../../shell/texts.ts'
import type { Translation } from '../../translation.ts'

const CONTACTS = { one: 'contato', other: 'contatos' }

/** Not all of it, because “API” stays as it is. */
const lowerFirst = (label: string) => label.charAt(0).toLowerCase() + label.slice(1)

export const shared: Translation<typeof english.sharedTexts> = {
  productName: 'Posthorn',
  pageTitle: (title: string) => `${title} · Posthorn`,
  cancel: 'Cancelar',
  close: 'Fechar',
  copy: 'Copiar',
  copied: 'Copiado',
  dismiss: 'Dispensar',
  undo: 'Desfazer',
  delete: 'Excluir',
  duplicate: 'Duplicar',
  remove: 'Remover',
  loading: 'Carregando',
  retry: 'Tentar novamente',
  saved: 'Salvo',
  notLoaded: (what: string) => `Não foi possível carregar: ${what}`,
  checkFields: 'Verifique os campos destacados.',
  actions: 'Ações',
  moreActions: 'Mais ações',
  missing: '–',
  quoted: (text: string) => `“${text}”`,
  labeled: (label, text) => `${label}: ${text}`,
  noSubject: '(sem assunto)',
  clearSearch: 'Limpar busca e filtros',
  requestId: (id: string) => `ID da requisição: ${id}`,
  typeToConfirm: (text: string) => `Digite “${text}” para confirmar`,
  subscribed: 'Inscrito',
  notSubscribed: 'Não inscrito',
  secretKey: 'Chave secreta',
  publicKey: 'Chave pública',
  contacts: (count: number) => formatCount(count, CONTACTS),
}

export const change: Translation<typeof english.changeTexts> = {
  none: 'Sem alteração',
  up: 'Aumento',
  down: 'Queda',
  percent: (ratio: number) => formatPercent(ratio),
  points: (difference: number) => formatCount(Math.round(difference * 1000) / 10, { one: 'ponto', other: 'pontos' }),
  since: (days: number) => `Em comparação com os ${formatNumber(days)} dias anteriores.`,
}

export const count: Translation<typeof english.countTexts> = {
  sent: 'E-mails que o servidor de e-mail aceitou.',
  delivered: 'E-mails entregues e não devolvidos depois, como percentual dos e-mails enviados ou recusados.',
  opened:
    'E-mails que uma pessoa abriu ou em que clicou, como percentual dos e-mails entregues. Se o servidor de e-mail não informa as entregas: dos e-mails que não foram devolvidos.',
  clicked:
    'E-mails em que uma pessoa clicou em um link, como percentual dos e-mails entregues. Se o servidor de e-mail não informa as entregas: dos e-mails que não foram devolvidos.',
  bounced: 'Devoluções permanentes, como percentual dos e-mails enviados ou recusados.',
  complained: 'E-mails denunciados como spam, como percentual dos e-mails enviados ou recusados.',
  unsubscribed:
    'Destinatários que cancelaram a inscrição por meio desta campanha, como percentual dos e-mails entregues.',
}

export const pager: Translation<typeof english.pagerTexts> = {
  label: 'Paginação',
  first: 'Primeira página',
  previous: 'Anterior',
  next: 'Próxima',
  rows: (first: number, rows: number, total: string | undefined) =>
    `${formatNumber(first)}–${formatNumber(first + rows - 1)}${total ? ` de ${total}` : ''}`,
  position: (page: number, totalPages: number) => `Página ${formatNumber(page)} de ${formatNumber(totalPages)}`,
}

export const navigation: Translation<typeof english.navigationTexts> = {
  project: 'Projeto',
  account: 'Conta',
  skip: 'Ir para o conteúdo',
  openMenu: 'Abrir menu',
  closeMenu: 'Fechar menu',
  search: 'Buscar',
  newProject: 'Novo projeto',
  disabled: (reason: string | null) =>
    reason
      ? `Este projeto está desativado e não pode enviar e-mails. Motivo: ${reason}`
      : 'Este projeto está desativado e não pode enviar e-mails. Fale com seu administrador.',
  themes: { light: 'Tema claro', dark: 'Tema escuro', system: 'Tema do sistema' },
  apiReference: 'Referência da API',
  signOut: 'Sair',
}

export const palette: Translation<typeof english.paletteTexts> = {
  label: 'Busca e comandos',
  placeholder: 'Buscar ou ir para…',
  closeKey: 'Esc',
  hint: 'Digite pelo menos duas letras para buscar contatos, campanhas, segmentos, e-mails e muito mais.',
  empty: 'Nenhum resultado',
  goTo: 'Ir para',
  create: 'Comandos',
  projects: 'Projetos',
  settings: 'Configurações',
  settingsTab: (tab: string) => `Configurações: ${tab}`,
  toLight: 'Mudar para o tema claro',
  toDark: 'Mudar para o tema escuro',
  contacts: 'Contatos',
  campaigns: 'Campanhas',
  templates: 'Modelos',
  workflows: 'Fluxos',
  segments: 'Segmentos',
  emails: 'E-mails',
  email: (subject: string, to: string) => `${subject} para ${to}`,
  contact: (email: string, name: string) => (name ? `${email} (${name})` : email),
  newProject: 'Criar projeto',
  docs: 'Abrir a documentação',
  signOut: 'Sair',
}

export const tag: Translation<typeof english.tagTexts> = {
  filter: 'Tag',
  all: 'Todas as tags',
  name: 'Tag',
  add: 'Adicionar tag',
  addTo: (name: string) => `Adicionar tag a ${name}`,
  change: 'Editar',
  edit: (name: string) => `Editar tags de ${name}`,
  show: (tag: string) => `Mostrar tudo com a tag ${tag}`,
  remove: (tag: string) => `Remover a tag ${tag}`,
}

export const picker: Translation<typeof english.pickerTexts> = {
  recent: 'Recentes',
  others: 'Todos',
  empty: 'Nenhum resultado',
  searching: 'Buscando…',
  failed: 'Não foi possível carregar a lista.',
  gone: 'Não existe mais',
  more: (count: number) => `Mais ${formatNumber(count)}. Digite para encontrar.`,
  found: (count: number) =>
    count === 0 ? 'Nenhum resultado' : formatCount(count, { one: 'resultado', other: 'resultados' }),
  contactPlaceholder: 'Nome ou endereço',
  templatePlaceholder: 'Buscar modelos',
  segmentPlaceholder: 'Buscar segmentos',
  workflowPlaceholder: 'Buscar fluxos',
  campaignPlaceholder: 'Buscar campanhas',
  segmentSize: (count: number) => formatCount(count, CONTACTS),
}

export const socialNetwork: Translation<typeof english.socialNetworkTexts> = {
  website: 'Site',
  x: 'X',
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  github: 'GitHub',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
  threads: 'Threads',
}

export const sort: Translation<typeof english.sortTexts> = {
  ascending: 'em ordem crescente',
  descending: 'em ordem decrescente',
}

export const shortcut: Translation<typeof english.shortcutTexts> = {
  title: 'Atalhos de teclado',
  general: 'Em qualquer lugar',
  palette: 'Busca e comandos',
  search: 'Buscar nesta lista',
  save: 'Salvar',
  submit: 'Enviar o formulário',
  help: 'Mostrar atalhos de teclado',
  lists: 'Listas',
  next: 'Próxima linha',
  previous: 'Linha anterior',
  open: 'Abrir linha',
  select: 'Selecionar linha',
  goTo: 'Ir para',
  keyAfter: 'depois',
  keyOr: 'ou',
}

export const error: Translation<typeof english.errorTexts> = {
  notFoundTitle: 'Página não encontrada',
  notFound: 'O link pode estar errado, ou o item a que ele leva pode ter sido excluído.',
  home: 'Ir para o painel',
  missing: (title: string) => `${title} inexistente`,
  backTo: (label: string) => `Voltar para ${lowerFirst(label)}`,
  failedTitle: 'Algo deu errado',
}

export const accountField: Translation<typeof english.accountFieldTexts> = {
  email: 'E-mail',
  password: 'Senha',
  passwordHint: 'Use pelo menos 8 caracteres.',
}

export const color: Translation<typeof english.colorTexts> = { pick: (label: string) => `${label}: escolher uma cor` }

export const captured: Translation<typeof english.capturedTexts> = {
  notice: 'Modo de teste: os e-mails são guardados aqui e não são enviados.',
}

export const connection: Translation<typeof english.connectionTexts> = {
  offline: 'Você está off-line. O Posthorn vai se reconectar automaticamente, e suas alterações estão preservadas.',
  unreachable: 'Não foi possível acessar o Posthorn. Tentando novamente…',
  retry: 'Tentar agora',
  slow: 'Isto está demorando mais que o normal.',
}

export const unsaved: Translation<typeof english.unsavedTexts> = {
  title: 'Sair sem salvar?',
  lead: 'Há alterações não salvas nesta página. Se você sair, elas serão perdidas.',
  stay: 'Continuar editando',
  leave: 'Descartar alterações',
  restored: 'Suas alterações não salvas foram restauradas.',
  discard: 'Descartar alterações',
  discardEntered: 'Descartar suas alterações?',
}

export const testEmail: Translation<typeof english.testEmailTexts> = {
  open: 'Enviar e-mail de teste',
  to: 'Destinatário',
  send: 'Enviar e-mail de teste',
  sent: (address: string) => `E-mail de teste enviado para ${address}.`,
  view: 'Ver e-mail',
}

export const sharedBlock: Translation<typeof english.sharedBlockTexts> = {
  layout: 'Layout',
  layoutHint: 'O cabeçalho e o rodapé deste e-mail.',
  noLayout: 'Sem layout',
  insert: 'Blocos salvos',
  choose: 'Inserir uma cópia…',
  save: 'Salvar bloco',
  saveLead: 'Sua equipe pode inserir uma cópia deste bloco em outros e-mails.',
  saved: 'Bloco salvo.',
  name: 'Nome',
}

export const emailPreview: Translation<typeof english.emailPreviewTexts> = {
  imagesBlocked: 'As imagens remotas estão bloqueadas.',
  showImages: 'Mostrar imagens',
  probe: 'Altura do e-mail',
  desktop: 'Largura de computador',
  phone: 'Largura de celular',
  light: 'Mostrar no modo claro',
  dark: 'Mostrar no modo escuro',
}

export const imageUpload: Translation<typeof english.imageUploadTexts> = { imageFile: 'Arquivo de imagem' }

export const bodyEditor: Translation<typeof english.bodyEditorTexts> = {
  section: 'Corpo',
  editor: 'Corpo (HTML com Liquid)',
  hint: 'Aceita Liquid e valores alternativos: <variable/>, <tag/>',
  uploadImage: 'Carregar imagem',
  copyImage: 'Copiar tag da imagem',
}

export const status: Translation<typeof english.statusTexts> = {
  emails: {
    SCHEDULED: 'Agendado',
    PENDING: 'Pendente',
    SENDING: 'Enviando',
    SENT: 'Enviado',
    DELIVERED: 'Entregue',
    OPENED: 'Aberto',
    CLICKED: 'Clicado',
    BOUNCED: 'Devolvido',
    COMPLAINED: 'Marcado como spam',
    FAILED: 'Falhou',
    CANCELLED: 'Cancelado',
    SKIPPED: 'Ignorado',
    RECEIVED: 'Recebido',
  },
  sources: {
    TRANSACTIONAL: 'Transacional',
    CAMPAIGN: 'Campanha',
    WORKFLOW: 'Fluxo',
    INBOUND: 'Recebido',
    TEST: 'Teste',
  },
  campaigns: {
    DRAFT: 'Rascunho',
    SCHEDULED: 'Agendada',
    SENDING: 'Enviando',
    SENT: 'Enviada',
    CANCELLED: 'Cancelada',
    PAUSED: 'Pausada',
    NOT_STARTED: 'Não iniciada',
  },
  executions: {
    RUNNING: 'Em andamento',
    WAITING: 'Em espera',
    COMPLETED: 'Concluída',
    EXITED: 'Encerrada',
    SKIPPED: 'Ignorada',
    FAILED: 'Falhou',
    CANCELLED: 'Cancelada',
  },
  subscriptions: {
    active: 'Ativa',
    trialing: 'Em teste',
    past_due: 'Em atraso',
    unpaid: 'Não paga',
    canceled: 'Cancelada',
    incomplete: 'Incompleta',
    incomplete_expired: 'Incompleta e expirada',
    paused: 'Pausada',
  },
  invoices: {
    draft: 'Rascunho',
    open: 'Em aberto',
    paid: 'Paga',
    uncollectible: 'Incobrável',
    void: 'Anulada',
  },
}

export const chart: Translation<typeof english.chartTexts> = {
  day: 'Dia',
  today: (day: string) => `${day}, até agora`,
  todaySoFar: 'Hoje até agora',
}

export const activities: Translation<typeof english.activityTexts> = {
  entersSegment: (segment: string) => `Entrou no segmento “${segment}”`,
  leavesSegment: (segment: string) => `Saiu do segmento “${segment}”`,
  types: {
    'email.sent': 'E-mail enviado',
    'email.delivery': 'E-mail entregue',
    'email.open': 'E-mail aberto',
    'email.click': 'Link clicado',
    'email.bounce': 'E-mail devolvido',
    'email.complaint': 'Marcado como spam',
    'email.failed': 'Falha no e-mail',
    'email.received': 'E-mail recebido',
    'contact.subscribed': 'Contato inscrito',
    'contact.confirmed': 'Inscrição confirmada',
    'contact.unsubscribed': 'Inscrição cancelada',
    'campaign.scheduled': 'Campanha agendada',
    'campaign.sent': 'Campanha iniciada',
    'workflow.started': 'Fluxo iniciado',
    'workflow.completed': 'Fluxo concluído',
    'workflow.failed': 'Falha no fluxo',
  },
}

export const eventLabels: Translation<typeof english.eventLabels> = {
  scheduled: 'Agendado',
  queued: 'Aceito',
  'copy-refused': 'Cópia recusada',
  'copy-deferred': 'Cópia adiada',
  'copy-report': 'Relatório sobre uma cópia',
  'contact.confirmed': 'Confirmado',
  'contact.unsubscribed': 'Inscrição cancelada',
  'contact.subscribed': 'Inscrito',
  'email.sent': 'Enviado',
  'email.delivery': 'Entregue',
  'email.open': 'Aberto',
  'email.click': 'Clicado',
  'email.bounce': 'Devolvido',
  'email.complaint': 'Marcado como spam',
  'email.failed': 'Falhou',
  'email.received': 'Recebido',
}

export const topic: Translation<typeof english.topicTexts> = {
  label: 'Tópico',
  none: 'Sem tópico',
  hint: 'Somente os contatos inscritos no tópico recebem o e-mail.',
}
