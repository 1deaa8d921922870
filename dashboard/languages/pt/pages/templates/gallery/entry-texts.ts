/** Portuguese names and descriptions of the gallery, by slug. */
import type { GalleryTexts } from '../../../../../pages/templates/gallery/entry-texts.ts'

export const galleryEntry: GalleryTexts = {
  welcome: {
    name: 'Boas-vindas',
    description: 'Dá as boas-vindas a novos clientes e mostra a eles os três primeiros passos.',
  },
  'confirm-address': {
    name: 'Confirmar o endereço',
    description: 'Pede a um novo inscrito ou cliente que confirme seu endereço de e-mail.',
  },
  'magic-link': { name: 'Link mágico', description: 'Permite entrar com um link ou um código, sem senha.' },
  'password-reset': { name: 'Redefinição de senha', description: 'Permite escolher uma nova senha.' },
  'security-alert': { name: 'Alerta de segurança', description: 'Informa um acesso a partir de um novo dispositivo.' },
  'team-invitation': { name: 'Convite para a equipe', description: 'Convida uma pessoa a entrar em uma equipe.' },
  newsletter: { name: 'Newsletter', description: 'Uma matéria principal, duas matérias curtas e uma lista de links.' },
  'product-announcement': {
    name: 'Anúncio de produto',
    description: 'Apresenta um novo produto ou recurso com suas vantagens.',
  },
  'event-invitation': {
    name: 'Convite para um evento',
    description: 'Convida para um evento, com data, local e programação.',
  },
  survey: { name: 'Pesquisa', description: 'Faz uma pergunta com três respostas e leva a uma pesquisa curta.' },
  're-engagement': { name: 'Reativação', description: 'Pergunta a quem não esteve ativo se quer continuar.' },
  stay: {
    name: 'Quer continuar?',
    description: 'O último e-mail a quem não abre nada, antes de você parar de escrever.',
  },
  digest: { name: 'Resumo', description: 'Lista o que aconteceu na semana passada.' },
  receipt: { name: 'Recibo', description: 'Confirma um pedido com seus itens e o total.' },
  invoice: { name: 'Fatura', description: 'Envia uma fatura com o valor e a data de vencimento.' },
  shipping: {
    name: 'Confirmação de envio',
    description: 'Avisa um cliente de que o pedido foi enviado, com o código de rastreamento.',
  },
  'trial-ending': {
    name: 'Fim do teste',
    description: 'Lembra um cliente de que o teste está terminando e oferece um plano.',
  },
}
