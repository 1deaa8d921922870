/** Portuguese texts of the topics page. */
import type * as english from '../../../../pages/topics/texts.ts'
import type { Translation } from '../../../translation.ts'

export const topics: Translation<typeof english.texts> = {
  title: 'Tópicos',
  lead: 'O que os contatos podem escolher receber. Um modelo ou uma campanha com um tópico só é enviado aos contatos inscritos nele.',
  add: 'Criar tópico',
  column: { name: 'Tópico', key: 'Chave', subscribers: 'Inscritos' },
  optIn: 'Opt-in',
  hidden: 'Fora da página de preferências',
  moveUp: (name: string) => `Mover ${name} para cima`,
  moveDown: (name: string) => `Mover ${name} para baixo`,
  edit: (name: string) => `Editar ${name}`,
  emptyTitle: 'Nenhum tópico ainda',
  empty:
    'Tópicos são os tipos de e-mail que você envia, como “Novidades do produto” ou “Ofertas”. Os contatos os escolhem na página de preferências; assim, quem não quer um tipo continua inscrito nos outros.',
  noMatchTitle: 'Nenhum tópico encontrado',
  noMatch: 'Tente outra busca.',
  removeLabel: (name: string) => `Excluir ${name}`,
  removeTitle: 'Excluir este tópico?',
  removeAction: 'Excluir tópico',
  removeEffect: (name: string) =>
    `“${name}” e as escolhas dos contatos sobre ele serão excluídos. Não é possível desfazer essa ação.`,
  removed: 'Tópico excluído.',
  editor: {
    createTitle: 'Criar tópico',
    editTitle: 'Editar tópico',
    name: 'Nome',
    key: 'Chave',
    keyHint: 'Identifica o tópico na API. Letras minúsculas, dígitos e hifens. Não pode ser alterada depois.',
    description: 'Descrição',
    descriptionHint: 'Exibida na página de preferências.',
    defaultSubscribed: 'Contatos inscritos o recebem até que o recusem',
    defaultHint: 'Caso contrário, só o recebem os contatos que o escolheram.',
    isPublic: 'Mostrar na página de preferências',
    create: 'Criar tópico',
    save: 'Salvar tópico',
    created: 'Tópico criado.',
    saved: 'Tópico salvo.',
  },
}
