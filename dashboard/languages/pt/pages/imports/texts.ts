/** Portuguese texts of the page that imports contacts. */
import { formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/imports/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

export const imports: Translation<typeof english.texts> = {
  contacts: 'Contatos',
  title: 'Importar contatos',
  lead: 'O arquivo precisa de uma coluna com endereços de e-mail. Todas as outras colunas podem virar campos. Contatos existentes são atualizados.',
  choose: 'Escolher um arquivo CSV',
  dropHint: 'Ou solte-o aqui.',
  chooseHint: 'Nomes das colunas na primeira linha, separados por vírgulas, ponto e vírgula ou tabulações. Até 5 MB.',
  example: 'Exemplo',
  exampleLead: 'A coluna “subscribed” é opcional. Novos contatos sem ela são inscritos.',
  chooseOther: 'Escolher outro arquivo',
  sample: 'Baixar um arquivo de exemplo',
  tooLarge: 'O arquivo tem mais de 5 MB. Divida-o em arquivos menores.',
  notText: 'Este não é um arquivo de texto. Exporte a lista como CSV e escolha o arquivo exportado.',
  hasHeader: 'A primeira linha contém os nomes das colunas',
  newContacts: {
    label: 'Novos contatos',
    choices: {
      subscribed: 'Serão inscritos',
      unsubscribed: 'Não serão inscritos',
      confirm: 'Recebem antes um e-mail de confirmação',
    },
  },
  status: {
    title: (column: string) => `A coluna “${column}” informa quem está inscrito?`,
    lead: 'Se informa e não é importada como a inscrição, quem cancelou a inscrição em outro lugar volta a receber seus e-mails.',
    yes: 'Sim, importar como a inscrição',
    no: 'Não, é outra coisa',
  },
  emptyFile: 'O arquivo está vazio. Escolha um arquivo com uma linha de cabeçalho e pelo menos um contato.',
  start: 'Importar contatos',
  converted: 'Este arquivo não está codificado em UTF-8. Ele será convertido antes do envio.',
  mapping: {
    title: 'Colunas',
    lead: 'Escolha como cada coluna é importada. Células vazias não alteram os valores existentes.',
    label: 'Colunas do arquivo',
    column: { name: 'Coluna', samples: 'Primeiros valores', field: 'Importar como' },
    fieldOf: (column: string) => `Campo para ${column}`,
    nameOf: (column: string) => `Nome do campo para ${column}`,
    typeOf: (column: string) => `Tipo de ${column}`,
    choices: {
      '': 'Não importar',
      email: 'Endereço de e-mail',
      subscribed: 'Inscrição',
      data: 'Campo personalizado',
    },
    place: (position: number) => `Coluna ${position}`,
    wordsOf: (column: string) => `O que significam os valores de ${column}`,
    word: (word: string) => `“${word}” significa`,
    chooseMeaning: 'Escolher…',
    subscribed: 'Inscrito',
    unsubscribed: 'Não inscrito',
    unclear: 'Escolha o que significa cada valor da coluna da inscrição.',
    namePlaceholder: 'Nome do campo',
    types: { string: 'Texto', number: 'Número', boolean: 'Sim/não', date: 'Data' },
    problems: {
      'no-email': 'Escolha a coluna que contém os endereços de e-mail.',
      unnamed: (column: string) => `Informe um nome de campo para a coluna “${column}”.`,
      twice: (column: string) =>
        `A coluna “${column}” é importada para o mesmo campo que outra coluna. Escolha um campo diferente.`,
    },
  },
  effect: {
    title: 'Prévia',
    label: 'Prévia da importação',
    lead: (rows: number) =>
      pickPlural(rows, {
        one: 'O que a importação faria com a linha do arquivo.',
        other: `O que a importação faria com as ${formatNumber(rows)} linhas do arquivo.`,
      }),
    created: (count: number) =>
      `${shared.contacts(count)} ${pickPlural(count, { one: 'será criado', other: 'serão criados' })}.`,
    updated: (count: number) =>
      pickPlural(count, {
        one: '1 linha vai atualizar um contato existente.',
        other: `${formatNumber(count)} linhas vão atualizar contatos existentes.`,
      }),
    unchanged: (count: number) =>
      pickPlural(count, {
        one: '1 linha não altera nada.',
        other: `${formatNumber(count)} linhas não alteram nada.`,
      }),
    failed: (count: number) =>
      pickPlural(count, { one: '1 linha será ignorada.', other: `${formatNumber(count)} linhas serão ignoradas.` }),
    leftOut: (count: number) =>
      pickPlural(count, {
        one: '1 valor não corresponde ao tipo e será omitido.',
        other: `${formatNumber(count)} valores não correspondem aos tipos e serão omitidos.`,
      }),
    problem: (row: number, problem: string) => `Linha ${formatNumber(row)}: ${problem}`,
    dotted: (name: string) =>
      `“${name}” é guardado como um único nome com ponto. Em modelos, use {{ data["${name}"] }}, porque {{ ${name} }} não o encontra.`,
    valueOf: (name: string, value: string) => `${name}: ${value}`,
    outcomes: { created: 'Novo', updated: 'Atualização', unchanged: 'Sem alteração', failed: 'Ignorada' },
    result: 'Resultado',
  },
  confirmations: {
    title: 'Confirmação',
    lead: 'Use esta opção se você não pode provar que as pessoas do arquivo concordaram em receber seus e-mails.',
    perHour: 'E-mails por hora',
    rateProblem: (max: number) => `Informe um número inteiro de 1 a ${formatNumber(max)}.`,
    note: 'Novos contatos, e os existentes que não estão inscritos, não recebem e-mails de marketing até confirmarem. Contatos que cancelaram a inscrição ou cujo endereço está suprimido não recebem o pedido.',
    progress: 'E-mails de confirmação',
    rate: (perHour: number) =>
      `Cada contato recebe um e-mail com um link que confirma a inscrição, ${formatNumber(perHour)} por hora.`,
    nobody: 'Não é preciso pedir confirmação a nenhum contato do arquivo.',
    running: 'Enviando e-mails de confirmação',
    completed: 'Todos os contatos receberam o pedido',
    asked: 'Solicitados',
    waiting: 'Em espera',
    skipped: 'Não solicitados',
    leave: 'Você pode sair desta página: os e-mails são enviados em segundo plano.',
  },
  running: 'Importando contatos',
  completed: 'Importação concluída',
  failed: 'A importação falhou.',
  viewContacts: 'Ver contatos',
  another: 'Importar outro arquivo',
  rows: 'Linhas',
  created: 'Criados',
  updated: 'Atualizados',
  unchanged: 'Sem alteração',
  failures: 'Ignoradas',
  skippedTitle: 'Linhas ignoradas',
  skippedLead: 'Estas linhas foram ignoradas. Todas as outras foram importadas.',
  skippedSome: (shown: number, total: number) =>
    `Exibindo as primeiras ${formatNumber(shown)} de ${formatNumber(total)} linhas ignoradas.`,
  leftOutTitle: 'Valores omitidos',
  leftOutLead: (count: number) =>
    pickPlural(count, {
      one: '1 valor não corresponde ao tipo da coluna. O restante da linha foi importado.',
      other: `${formatNumber(count)} valores não correspondem aos tipos das colunas. O restante das linhas foi importado.`,
    }),
  column: { row: 'Linha', email: 'E-mail', reason: 'Motivo' },
}
