/** Portuguese texts of the suppressions page. */
import { formatCount, formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/suppressions/texts.ts'
import type { Translation } from '../../../translation.ts'

export const suppressions: Translation<typeof english.texts> = {
  title: 'Supressões',
  lead: 'Estes endereços nunca recebem e-mails de marketing, ou nenhum de um tópico, mesmo que o contato seja excluído e importado novamente. E-mails transacionais continuam sendo enviados.',
  add: 'Suprimir endereço',
  column: { email: 'E-mail', reason: 'Motivo', topic: 'Tópico', added: 'Adicionado' },
  allTopics: 'Todos os e-mails de marketing',
  reason: 'Motivo',
  anyReason: 'Todos os motivos',
  export: 'Exportar',
  import: 'Importar',
  importDialog: {
    title: 'Importar supressões',
    lead: 'Um arquivo CSV com uma coluna “email”, de até 5 MB. As colunas “reason”, “topic” e “createdAt” são opcionais. Os contatos não mudam.',
    file: 'Arquivo CSV',
    submit: 'Importar supressões',
    close: 'Fechar',
    done: (added: number, existing: number) =>
      `${formatCount(added, { one: 'adicionado', other: 'adicionados' })}, ${formatCount(existing, { one: 'já suprimido', other: 'já suprimidos' })}.`,
    failed: (count: number) =>
      pickPlural(count, {
        one: '1 linha foi ignorada:',
        other: `${formatNumber(count)} linhas foram ignoradas:`,
      }),
    row: (row: number, error: string) => `Linha ${formatNumber(row)}: ${error}`,
  },
  reasons: { BOUNCE: 'Devolução permanente', COMPLAINT: 'Denúncia de spam', MANUAL: 'Adicionado manualmente' },
  search: 'Buscar endereços',
  emptyTitle: 'Nenhum endereço suprimido',
  empty:
    'Endereços são suprimidos automaticamente após uma devolução permanente ou uma denúncia de spam, o que protege sua reputação de remetente. Você também pode suprimir endereços manualmente.',
  noMatchTitle: 'Nenhum endereço encontrado',
  noMatch: 'Tente outra busca.',
  removeLabel: (email: string) => `Remover a supressão de ${email}`,
  removeTopicEffect: (email: string, topic: string) =>
    `${email} pode voltar a receber e-mails de marketing do tópico “${topic}” se o contato estiver inscrito nele.`,
  removeTitle: 'Remover esta supressão?',
  removeAction: 'Remover supressão',
  removeEffect: (email: string) =>
    `${email} pode voltar a receber e-mails de marketing se o contato estiver inscrito. Enviar a endereços com devolução prejudica sua reputação de remetente.`,
  removed: 'Supressão removida.',
  bulk: {
    label: 'Supressões selecionadas',
    selectPage: 'Selecionar todas as supressões desta página',
    select: (email: string) => `Selecionar ${email}`,
    selected: (count: number) => formatCount(count, { one: 'supressão selecionada', other: 'supressões selecionadas' }),
    selectAll: (total: number) => `Selecionar todas as ${formatNumber(total)}`,
    clear: 'Limpar seleção',
    remove: 'Remover',
    removeTitle: (count: number) => `Remover ${formatCount(count, { one: 'supressão', other: 'supressões' })}?`,
    removeAction: (count: number) => `Remover ${formatCount(count, { one: 'supressão', other: 'supressões' })}`,
    removeEffect:
      'Estes endereços podem voltar a receber e-mails de marketing se os contatos estiverem inscritos. Enviar a endereços com devolução ou que denunciam spam prejudica sua reputação de remetente.',
    done: (count: number) => `${formatCount(count, { one: 'supressão removida', other: 'supressões removidas' })}.`,
  },
  addDialog: {
    title: 'Suprimir endereço',
    email: 'E-mail',
    topic: 'Tópico',
    submit: 'Suprimir endereço',
    added: 'Endereço suprimido.',
  },
}
