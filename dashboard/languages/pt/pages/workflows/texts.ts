/** Portuguese texts of the workflow pages. */
import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type { Branch } from '../../../../pages/workflows/steps/step.ts'
import type * as english from '../../../../pages/workflows/texts.ts'
import type { Translation } from '../../../translation.ts'

interface Changes {
  added: unknown[]
  changed: unknown[]
  removed: unknown[]
}

const count = (amount: number, one: string, other: string) => formatCount(amount, { one, other })
const contactCount = (amount: number) => count(amount, 'contato', 'contatos')
const stepCount = (amount: number) => count(amount, 'etapa', 'etapas')

/** The branches that are the answer to a question. */
const answers: Record<string, string> = { yes: 'sim', no: 'não' }

export const workflows: Translation<typeof english.workflowTexts> = {
  workflow: 'Fluxo',
  workflows: 'Fluxos',
  enabled: 'Ativado',
  disabled: 'Desativado',
  name: 'Nome',
  description: 'Descrição',
  event: 'Evento',
  manualStart: 'Início manual',
  erasedContact: 'Contato excluído',
  invalidJson: 'Este JSON não é válido.',

  list: {
    lead: 'Envie e-mails e execute outras etapas automaticamente quando algo acontece.',
    create: 'Criar fluxo',
    search: 'Buscar fluxos',
    columns: {
      trigger: 'Gatilho',
      status: 'Status',
      active: 'Ativas',
      completed: 'Concluídas em 7 dias',
      updated: 'Atualizado',
    },
    sort: 'Ordenar por',
    sorts: { '': 'Mais recentes', updatedAt: 'Edição mais recente', name: 'Nome' },
    noTrigger: '–',
    active: (active: number) => count(active, 'ativa', 'ativas'),
    noCount: '–',
    actionsFor: (name: string) => `Ações de ${name}`,
    emptyTitle: 'Nenhum fluxo ainda',
    empty:
      'Um fluxo executa uma série de etapas para um contato quando um evento ocorre. Use um para dar boas-vindas a novos clientes ou retomar carrinhos abandonados.',
    noMatchTitle: 'Nenhum fluxo encontrado',
    noMatch: 'Busque outro nome, descrição ou evento.',
    namePlaceholder: 'Boas-vindas a novos usuários',
    triggerEvent: 'Evento do gatilho',
    triggerHint: 'O fluxo começa para um contato quando este evento ocorre. Você pode alterar o gatilho depois.',
    cancel: 'Cancelar',
    submit: 'Criar fluxo',
    import: 'Importar fluxo',
    importFile: 'Arquivo do fluxo (JSON)',
    importNotJson: 'Este arquivo não é um JSON válido. Escolha um arquivo exportado de um fluxo.',
    imported: 'Fluxo importado. Ative-o para iniciar execuções.',
  },

  starters: {
    title: 'Ou comece com um fluxo pronto',
    upgraded: 'Fez upgrade',
    names: {
      welcome: 'Boas-vindas a novos usuários',
      trial: 'Lembrete antes do fim do período de teste',
      returning: 'Reconquistar usuários inativos',
    },
    descriptions: {
      welcome: 'Envia um e-mail de boas-vindas após o cadastro e uma pesquisa uma semana depois.',
      trial: 'Envia um lembrete 11 dias após o início do período de teste, a menos que o contato faça upgrade.',
      returning: 'Envia um e-mail a usuários inativos e registra quem volta em até duas semanas.',
    },
  },

  one: {
    tabs: { graph: 'Editor', executions: 'Execuções', settings: 'Configurações' },
    enable: 'Ativar fluxo',
    disable: 'Desativar fluxo',
    disableShort: 'Desativar',
    enabledToast: 'Fluxo ativado.',
    disabledToast: 'Fluxo desativado. As execuções ativas continuam.',
    duplicate: 'Duplicar fluxo',
    duplicated: 'Fluxo duplicado. A cópia está desativada.',
    export: 'Exportar fluxo',
    deleted: 'Fluxo excluído.',
    delete: { title: 'Excluir este fluxo?', action: 'Excluir fluxo' },
    deleteHint: 'O fluxo e suas execuções serão excluídos permanentemente. Cancele antes as execuções ativas.',
  },

  settings: {
    general: 'Nome e descrição',
    triggerTitle: 'Gatilho, reentrada e meta',
    tags: 'Tags',
    tagsLead: 'Use tags para filtrar a lista de fluxos. As alterações são salvas na hora.',
    trigger: 'Gatilho',
    triggers: { EVENT: 'Um evento', MANUAL: 'Somente início manual' },
    reentry: 'Reentrada',
    reentryModes: {
      once: 'Cada contato entra uma vez',
      always: 'Os contatos entram de novo depois de terminar',
      interval: 'Os contatos entram de novo depois de alguns dias',
    },
    reentryHints: {
      once: 'Um contato que já esteve no fluxo nunca mais entra nele.',
      always: 'Um contato pode entrar assim que sua última execução terminar.',
      interval:
        'Os dias são contados a partir da última entrada do contato, e a última execução dele precisa ter terminado.',
    },
    reentryDays: 'Dias',
    goal: 'Meta (opcional)',
    goalHint:
      'Quando este evento ocorre para um contato, a execução dele é concluída onde quer que esteja e conta como conversão.',
    recorded: (times: number, contacts: number) =>
      `Registrado ${count(times, 'vez', 'vezes')} para ${contactCount(contacts)}.`,
    notRecorded: 'Nenhum evento com este nome está registrado.',
    triggerChange:
      'Um novo gatilho vale para os contatos que entrarem a partir de agora. Os contatos que já estão no fluxo continuam.',
    save: 'Salvar configurações',
    saved: 'Configurações salvas.',
  },

  graph: {
    label: 'Diagrama do fluxo',
    palette: 'Tipos de etapa',
    paletteHint: 'Clique em um tipo para adicionar uma etapa ou arraste-o para uma conexão.',
    trigger: 'Gatilho',
    noEvent: 'Nenhum evento selecionado',
    notConfigured: 'Ainda não configurado',
    incomplete: 'Complete esta etapa',
    notReached: 'Não alcançada',
    unconnected: 'Nenhuma etapa leva até aqui',
    loop: 'Estas etapas não podem ser conectadas, porque a segunda leva de volta à primeira.',
    selfConnection: 'Uma etapa não pode levar a si mesma.',
    change: { added: 'Nova', changed: 'Editada' },
    counts: {
      none: 'Nenhum contato ainda',
      active: (amount: string) => `${amount} aqui agora`,
      entered: (amount: string) => `Entraram: ${amount}`,
      emails: (sent: string, opened: string, clicked: string) =>
        `Enviados: ${sent} · abertos: ${opened} · clicados: ${clicked}`,
      failed: (amount: string) => `Falhas: ${amount}`,
      converted: (share: string) => `Conversão: ${share}`,
    },
    addFirst: 'Adicionar a primeira etapa',
    addBefore: (step: string) => `Adicionar uma etapa antes de “${step}”`,
    addBetween: (from: string, to: string) => `Adicionar uma etapa entre “${from}” e “${to}”`,
    addAfter: (step: string, branch: Branch) => {
      if (!branch) return `Adicionar uma etapa depois de “${step}”`
      return answers[branch]
        ? `Adicionar uma etapa depois de “${step}” em caso de “${answers[branch]}”`
        : `Adicionar uma etapa depois de “${step}” no ramo “${branch}”`
    },
    removeConnection: (from: string, to: string) => `Remover a conexão de “${from}” para “${to}”`,
    connectionLabel: (from: string, to: string, when: string) => `De “${from}” para “${to}”${when && `, ${when}`}`,
    stepLabel: (step: string, active: number) =>
      active > 0 ? `Etapa “${step}”, ${count(active, 'contato está', 'contatos estão')} aqui agora` : `Etapa “${step}”`,
    triggerLabel: (trigger: string) => `Gatilho: ${trigger}`,
    aria: {
      'node.a11yDescription.default':
        'Pressione Enter para editar a etapa, Delete para removê-la e as setas para movê-la enquanto estiver selecionada.',
      'node.a11yDescription.keyboardDisabled': 'Pressione Enter para editar a etapa.',
      'edge.a11yDescription.default': 'Pressione Enter para selecionar a conexão e depois Delete para removê-la.',
      'controls.ariaLabel': 'Exibição',
      'controls.zoomIn.ariaLabel': 'Ampliar',
      'controls.zoomOut.ariaLabel': 'Reduzir',
      'controls.fitView.ariaLabel': 'Mostrar o diagrama inteiro',
    },
  },

  tools: {
    label: 'Ferramentas do diagrama',
    undo: 'Desfazer',
    redo: 'Refazer',
    tidy: 'Organizar o diagrama',
    tidyShort: 'Organizar',
    simulate: 'Simular fluxo',
    simulateShort: 'Simular',
    versions: 'Mostrar versões',
    versionsShort: 'Versões',
  },

  trigger: {
    title: 'Gatilho',
    lead: 'Escolha o que inicia este fluxo para um contato.',
    save: 'Salvar gatilho',
    saved: 'Gatilho salvo.',
  },

  publishing: {
    label: 'Alterações não publicadas',
    summary: ({ added, changed, removed }: Changes) => {
      const parts = [
        added.length > 0 && count(added.length, 'adicionada', 'adicionadas'),
        changed.length > 0 && count(changed.length, 'editada', 'editadas'),
        removed.length > 0 && count(removed.length, 'removida', 'removidas'),
      ].filter((part) => part !== false)
      return parts.length > 0 ? `Etapas não publicadas: ${parts.join(', ')}` : 'Alterações não publicadas'
    },
    saved: 'Rascunho salvo.',
    saving: 'Salvando o rascunho…',
    failed: 'Não foi possível salvar o rascunho.',
    conflict: 'O rascunho foi alterado em outra janela. O seu está somente nesta.',
    saveOver: 'Substituir pelo meu',
    outdated: 'As etapas publicadas foram alteradas depois que este rascunho foi iniciado. A publicação as substitui.',
    retry: 'Salvar novamente',
    reload: 'Carregar o outro rascunho',
    publish: 'Publicar alterações',
    published: 'Alterações publicadas. A partir de agora, os contatos seguem as novas etapas.',
    publishedDisabled: 'Alterações publicadas. Ative o fluxo para iniciar execuções.',
    invalid: 'Complete as etapas destacadas antes de publicar.',
    discard: 'Descartar alterações',
    discardTitle: 'Descartar as alterações não publicadas?',
    discardEffect: ({ added, changed, removed }: Changes) =>
      `O diagrama volta à versão publicada: ${count(added.length, 'etapa nova é removida', 'etapas novas são removidas')}, ${count(changed.length, 'edição é revertida', 'edições são revertidas')} e ${count(removed.length, 'etapa removida é restaurada', 'etapas removidas são restauradas')}. Você pode desfazer isso até sair da página.`,
    keep: 'Manter alterações',
  },

  removal: {
    title: (step: string | undefined, steps: number) => (step ? `Remover “${step}”?` : `Remover ${stepCount(steps)}?`),
    lead: (contacts: number, steps: number) =>
      `${count(contacts, 'contato está', 'contatos estão')} ${steps === 1 ? 'nesta etapa' : 'nestas etapas'} até você publicar suas alterações. Escolha o que acontece então.`,
    choice: 'O que acontece com os contatos',
    move: {
      title: 'Mover para a próxima etapa',
      hint: 'Eles continuam imediatamente na próxima etapa. Se não houver nenhuma, suas execuções são concluídas.',
    },
    moveTo: (step: string | undefined, branch: string | undefined) =>
      step
        ? {
            title: 'Mover para a próxima etapa',
            hint: `Eles continuam imediatamente em “${step}”${branch ? `, como no ramo “${branch}”` : ''}.`,
          }
        : { title: 'Concluir suas execuções', hint: 'Não há etapa seguinte, portanto eles chegam ao fim do fluxo.' },
    cancel: { title: 'Cancelar suas execuções', hint: 'Eles saem do fluxo e não recebem mais nada dele.' },
    keep: (steps: number) => (steps === 1 ? 'Manter a etapa' : 'Manter as etapas'),
    remove: (steps: number) => (steps === 1 ? 'Remover etapa' : 'Remover etapas'),
  },

  enabling: {
    title: 'Ativar este fluxo',
    lead: 'Ele começa quando contatos entram em um segmento.',
    label: 'Iniciar para',
    options: {
      new: {
        title: 'Contatos que entrarem a partir de agora',
        hint: 'O fluxo não começa para os contatos que já estão no segmento.',
      },
      all: {
        title: 'Também os que já estão no segmento',
        hint: 'Para contatos que já estiveram neste fluxo, ele só começa se permitir reentrada.',
      },
    },
    cancel: 'Cancelar',
    enable: 'Ativar fluxo',
  },

  versions: {
    title: 'Versões',
    lead: 'A cada publicação, o diagrama é salvo como uma versão.',
    empty: 'Nenhuma versão ainda. Publique suas alterações para criar a primeira.',
    name: (number: number) => `Versão ${formatNumber(number)}`,
    current: '(mais recente)',
    steps: (steps: number) => stepCount(steps),
    numbers: (started: number, completed: string, failed: string) =>
      `${count(started, 'contato iniciou', 'contatos iniciaram')} · concluídas: ${completed} · falhas: ${failed}`,
    converted: (share: string) => `Atingiram a meta: ${share}`,
    numbersHint: 'Contatos que iniciaram com esta versão, no máximo os 5.000 mais recentes.',
    restore: 'Carregar como rascunho',
    restoreLabel: (number: number) => `Carregar a versão ${formatNumber(number)} como rascunho`,
    restored: (number: number) => `A versão ${formatNumber(number)} agora é o rascunho. Publique-a para usá-la.`,
  },

  start: {
    open: 'Iniciar para contatos',
    title: 'Iniciar este fluxo',
    lead: 'Contatos que já estão no fluxo ou não podem entrar nele de novo são ignorados.',
    audience: 'Iniciar para',
    audiences: { contact: 'Um contato', segment: 'Um segmento' },
    segment: 'Segmento',
    segmentSize: (members: number) => `${contactCount(members)} neste segmento.`,
    submit: 'Iniciar fluxo',
    startedContact: (email: string) => `Fluxo iniciado para ${email}.`,
    startedSegment: (segment: string) => `Iniciando o fluxo para os contatos de “${segment}”.`,
  },

  branches: {
    name: (branch: NonNullable<Branch>) => ({ yes: 'Sim', no: 'Não' })[branch] ?? branch,
    next: (branch: Branch, branches: Branch[]) => {
      if (branch)
        return answers[branch] ? `Próxima etapa em caso de “${answers[branch]}”` : `Próxima etapa no ramo “${branch}”`
      return branches.length > 1 ? 'Próxima etapa nos dois casos' : 'Próxima etapa'
    },
  },

  step: {
    label: 'Etapa',
    close: 'Fechar painel',
    none: 'Nenhuma',
    duplicate: 'Duplicar',
    remove: 'Remover etapa',
    removeMany: (steps: number) => `Remover ${stepCount(steps)}`,
    removedToast: (steps: number) => `${count(steps, 'etapa removida', 'etapas removidas')}.`,
    selected: (steps: number) => count(steps, 'etapa selecionada', 'etapas selecionadas'),
    selectedHint: 'Arraste as etapas para movê-las juntas ou copie-as com Ctrl+C e cole-as em qualquer fluxo.',
    removed: (type: string) => `${type} (removida)`,
  },

  simulation: {
    title: 'Simular',
    lead: 'Veja quais etapas seriam executadas para um contato. Nada é enviado nem alterado.',
    contact: 'Contato',
    assumeEvents: 'Supor que os eventos esperados pelo fluxo ocorrem',
    eventData: 'Dados do evento (JSON)',
    submit: 'Executar simulação',
    incomplete: 'Complete as etapas destacadas antes de simular o fluxo.',
    clear: 'Limpar',
    path: 'Caminho simulado',
    result: 'Resultado:',
  },
}
