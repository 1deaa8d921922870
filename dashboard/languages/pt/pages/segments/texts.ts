/** Portuguese texts of the segment pages. */
import { formatCount, formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/segments/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

const types = { DYNAMIC: 'Dinâmico', STATIC: 'Estático' }

const addedContacts = (count: number) =>
  formatCount(count, { one: 'contato adicionado', other: 'contatos adicionados' })

export const segments: Translation<typeof english.texts> = {
  title: 'Segmentos',
  lead: 'Agrupe contatos por condições ou escolha-os um a um. Use segmentos como público de campanhas.',
  create: 'Criar segmento',
  column: { name: 'Nome', type: 'Tipo', contacts: 'Contatos', share: 'Parcela', updated: 'Atualizado' },
  types,
  tracked: 'Registra entradas e saídas',
  search: 'Buscar segmentos',
  noMatchTitle: 'Nenhum segmento encontrado',
  noMatch: 'Tente outra busca.',
  emptyTitle: 'Nenhum segmento ainda',
  empty:
    'Um segmento é um grupo de contatos, por exemplo os inscritos no plano Pro. Segmentos dinâmicos são atualizados automaticamente. Use segmentos como público de campanhas e para iniciar fluxos.',
  one: {
    title: 'Segmento',
    contacts: 'Contatos',
    edit: 'Editar segmento',
    recalculate: 'Recalcular agora',
    recalculated: (entered: number, left: number) =>
      `Segmento recalculado. Entradas: ${formatNumber(entered)}; saídas: ${formatNumber(left)}.`,
    createCampaign: 'Criar campanha',
    deleted: 'Segmento excluído.',
    delete: { title: 'Excluir este segmento?', action: 'Excluir segmento' },
    deleteEffect: (contacts: number) =>
      `O segmento será excluído, mas ${pickPlural(contacts, { one: 'seu', other: 'seus' })} ${shared.contacts(contacts)} ${pickPlural(contacts, { one: 'será mantido', other: 'serão mantidos' })}. Não é possível excluir um segmento usado por uma campanha agendada ou em envio.`,
    members: {
      lead: 'Contatos que correspondem agora:',
      label: 'Contatos neste segmento',
      column: { email: 'E-mail', name: 'Nome', status: 'Status', added: 'Inclusão do contato' },
      remove: (email: string) => `Remover ${email}`,
      removed: (email: string) => `${email} foi removido do segmento.`,
      emptyTitle: 'Nenhum contato',
      emptyStatic: 'Adicione contatos pelo endereço de e-mail.',
      emptyDynamic: 'Nenhum contato corresponde à condição.',
    },
  },
  share: (share: string) => `${share} de todos os contatos`,
  size: {
    title: 'Tamanho ao longo do tempo',
    lead: 'Registrado uma vez por dia.',
    range: 'Período',
    ranges: { '30': 'Últimos 30 dias', '90': 'Últimos 90 dias', '365': 'Últimos 365 dias' },
    showTable: 'Mostrar como tabela',
    showChart: 'Mostrar como gráfico',
    day: 'Dia',
    contacts: 'Contatos',
    share: 'Parcela de todos os contatos',
    empty: 'O gráfico mostra como o segmento cresce. Ele aparece quando há o tamanho de dois dias registrado.',
  },
  addMembers: {
    title: 'Adicionar contatos',
    lead: 'Adicione até 500 contatos por vez.',
    addresses: 'Endereços de e-mail',
    addressesHint: 'Separe os endereços com vírgulas ou quebras de linha.',
    createMissing: 'Criar contatos para os endereços que ainda não existem',
    notFound: (count: number) =>
      pickPlural(count, {
        one: 'Este endereço ainda não é um contato, por isso não foi adicionado.',
        other: 'Estes endereços ainda não são contatos, por isso não foram adicionados.',
      }),
    submit: (count: number) => (count === 0 ? 'Adicionar contatos' : `Adicionar ${shared.contacts(count)}`),
    added: (added: number, created: number) =>
      created > 0
        ? `${addedContacts(added)}, incluindo ${formatCount(created, { one: 'contato novo', other: 'contatos novos' })}.`
        : `${addedContacts(added)}.`,
  },
  editor: {
    createTitle: 'Criar segmento',
    editTitle: 'Editar segmento',
    save: 'Salvar segmento',
    saved: 'Segmento salvo.',
    name: 'Nome',
    type: 'Tipo',
    types: {
      DYNAMIC: {
        title: types.DYNAMIC,
        hint: 'Contatos que correspondem a uma condição. Atualizado automaticamente.',
      },
      STATIC: { title: types.STATIC, hint: 'Contatos que você mesmo adiciona e remove.' },
    },
    description: 'Descrição',
    trackMembership: 'Registrar um evento quando um contato entra ou sai',
    trackMembershipHint: 'Fluxos podem começar com esses eventos, e a linha do tempo de cada contato os mostra.',
    namePlaceholder: 'Clientes do plano Pro',
    condition: 'Condição',
    staticHint: 'Salve o segmento e depois adicione contatos pelo endereço de e-mail.',
  },
  preview: {
    label: 'Contatos correspondentes',
    incomplete: 'Preencha todos os filtros para ver os contatos correspondentes.',
    matching: (count: number) =>
      pickPlural(count, { one: 'contato corresponde agora', other: 'contatos correspondem agora' }),
    notSubscribed: 'Não inscrito',
    more: (count: number) => `e mais ${formatNumber(count)}`,
  },
}
