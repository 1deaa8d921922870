/** Portuguese texts about executions: their list, their pages, and moving them to another step. */
import { formatCount, formatUnit } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/workflows/execution-texts.ts'
import type { Translation } from '../../../translation.ts'

const count = (amount: number, one: string, other: string) => formatCount(amount, { one, other })

export const execution: Translation<typeof english.executionTexts> = {
  executions: {
    title: 'Execuções',
    lead: 'Uma execução para cada vez que um contato entrou no fluxo.',
    status: 'Status',
    anyStatus: 'Qualquer status',
    columns: { contact: 'Contato', status: 'Status', step: 'Etapa', started: 'Início' },
    noStep: '–',
    emptyTitle: 'Nenhuma execução',
    empty:
      'Uma execução começa quando o evento do gatilho ocorre para um contato. Ative o fluxo para iniciar execuções.',
    emptyFiltered: 'Nenhuma execução com este status.',
    cancelAll: 'Cancelar todas as execuções ativas',
    total: (total: number) => count(total, 'execução', 'execuções'),
    exited: (reason: string) => `Encerrada: ${reason}`,
    cancelAllTitle: 'Cancelar todas as execuções ativas?',
    cancelAllEffect: (active: number | undefined) =>
      active === undefined
        ? 'Todas as execuções ativas vão parar na etapa atual. E-mails já enviados não podem mais ser cancelados.'
        : `${count(active, 'execução ativa vai parar na etapa atual', 'execuções ativas vão parar na etapa atual')}. E-mails já enviados não podem mais ser cancelados.`,
    cancelledAll: (cancelled: number) => `${count(cancelled, 'execução cancelada', 'execuções canceladas')}.`,
  },

  moves: {
    skip: 'Pular a espera',
    moveTo: (step: string) => `Mover para “${step}”`,
    continue: 'Continuar antes',
    skipped: 'A espera foi pulada.',
    moved: (step: string) => `Continua em “${step}”.`,
    output: 'Movida para outra etapa',
    all: 'Deixar todos continuarem',
    allContinue: 'Os contatos continuarão em instantes.',
    waitingHere: (contacts: number) => `${count(contacts, 'contato espera', 'contatos esperam')} aqui.`,
    title: (contacts: number) => `Deixar ${count(contacts, 'contato continuar', 'contatos continuarem')} agora?`,
    skipsWait:
      'A espera deles termina agora, e eles continuam como se o tempo tivesse acabado. Os contatos que chegarem depois esperam normalmente.',
    movesTo: (step: string) =>
      `A espera deles termina agora, e eles continuam em “${step}”. Os contatos que chegarem depois esperam normalmente.`,
    leave: 'Deixar esperando',
    confirm: 'Deixar continuar',
  },

  execution: {
    title: 'Execução',
    graph: 'Caminho no diagrama',
    steps: 'Etapas',
    noSteps: 'Nenhuma etapa foi executada ainda.',
    viewEmail: 'Ver e-mail',
    goalReached: 'Meta atingida',
    goal: (event: string) => `Saiu quando a meta “${event}” foi atingida`,
    template: (name: string | undefined, version: number) => `${name ?? 'Modelo'}, versão ${version}`,
    started: 'Início em <start/>',
    ran: 'Início em <start/>, duração: <duration/>. <contact/>',
    running: 'Início em <start/>. <contact/>',
    seconds: (seconds: number) => (seconds < 1 ? 'menos de um segundo' : formatUnit(seconds, 'second')),
    viewContact: 'Ver contato',
    startedAndResumes: 'Início em <start/>, continua em <resume/>',
    cancel: 'Cancelar execução',
    cancelled: 'Execução cancelada.',
    retry: 'Repetir execução',
    retried: 'A execução continua na etapa que falhou.',
  },
}
