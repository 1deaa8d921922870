/** Portuguese texts of the pages about API requests. */
import { formatCount } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/requests/texts.ts'
import type { Translation } from '../../../translation.ts'

export const requests: Translation<typeof english.texts> = {
  title: 'Requisições da API',
  lead: 'O que suas chaves de API solicitaram nos últimos 7 dias. Os corpos não são guardados.',
  column: { request: 'Requisição', status: 'Status', key: 'Chave', duration: 'Duração', time: 'Hora' },
  search: 'Caminho, como /v1/send',
  method: 'Método',
  anyMethod: 'Todos os métodos',
  status: 'Status',
  anyStatus: 'Todos os status',
  statuses: { '2xx': 'Bem-sucedidas (2xx)', '4xx': 'Recusadas (4xx)', '5xx': 'Com falha (5xx)' },
  key: 'Chave',
  anyKey: 'Todas as chaves',
  keys: { secret: 'Chave secreta', public: 'Chave pública' },
  ms: (ms: number) => `${ms} ms`,
  ignored: (count: number) => formatCount(count, { one: 'campo ignorado', other: 'campos ignorados' }),
  emptyTitle: 'Nenhuma requisição da API',
  empty:
    'As requisições com suas chaves de API são listadas aqui por 7 dias, cada uma com seu erro. Isso ajuda a ver por que a requisição do seu aplicativo foi recusada. Crie uma chave de API e envie a primeira requisição. Se nenhuma aparecer, REQUEST_LOG pode estar desativado nesta instalação.',
  createKey: 'Abrir chaves de API',
  noMatchTitle: 'Nenhuma requisição encontrada',
  noMatch: 'Tente outro filtro.',
  one: {
    title: 'Requisição da API',
    facts: 'Requisição',
    id: 'ID da requisição',
    copyId: 'Copiar ID da requisição',
    network: 'Rede',
    unknown: 'Desconhecida',
    error: 'Erro',
    docs: 'Como corrigir este erro',
    field: 'Campo',
    problem: 'Problema',
    ignoredTitle: 'Campos ignorados',
    ignoredLead:
      'Este endpoint não tem estes campos da requisição, por isso eles não tiveram efeito. Verifique os nomes.',
  },
}
