/** Portuguese labels of fields by their name in the API, and errors, reworded for forms. */
import type * as english from '../../../shell/error-texts.ts'
import type { Translation } from '../../translation.ts'

export const fieldLabels: Translation<typeof english.fieldLabels> = {
  name: 'Nome',
  description: 'Descrição',
  subject: 'Assunto',
  body: 'Corpo',
  from: 'De',
  fromName: 'Nome do remetente',
  replyTo: 'Responder para',
  type: 'Tipo',
  email: 'E-mail',
  data: 'Dados',
  domain: 'Domínio',
  password: 'Senha',
  newPassword: 'Nova senha',
  code: 'Código de autenticação',
  segmentId: 'Segmento',
  templateId: 'Modelo',
  condition: 'Condição',
  audienceCondition: 'Condição',
  audienceType: 'Público',
  scheduledFor: 'Data e hora',
  trackMembership: 'Registrar entradas e saídas',
  triggerType: 'Gatilho',
  triggerConfig: 'Gatilho',
  eventName: 'Evento',
  allowReentry: 'Permitir reentrada',
  language: 'Idioma',
  tracking: 'Rastreamento de aberturas e cliques',
  role: 'Função',
  confirm: 'Nome do projeto',
  file: 'Arquivo',
  postalAddress: 'Endereço postal',
  logoUrl: 'Logotipo',
  brandColor: 'Cor',
  filter: (group: number, position: number | undefined, part: string | undefined): string => {
    const filter = position === undefined ? `Grupo ${group}` : `Grupo ${group}, filtro ${position}`
    return part ? `${filter}, ${part}` : filter
  },
}

export const errorMessages: Translation<typeof english.errorMessages> = {
  invalidFields: 'Alguns campos precisam da sua atenção.',
  pastTime: 'Escolha um horário no futuro.',
  noTime: 'Informe a data e a hora.',
  noSender: 'Informe o endereço do remetente.',
  unverifiedDomain:
    'Você só pode enviar de um domínio verificado. Adicione e verifique este domínio na página Domínios.',
  noCondition: 'Adicione pelo menos um filtro.',
  untrackedMembership: 'Este segmento não registra entradas e saídas. Primeiro ative esse registro.',
  dynamicMembers: 'Não é possível adicionar contatos a um segmento dinâmico. A condição dele determina os membros.',
  expiredSetup: 'Esta configuração expirou. Comece de novo.',
  gone: 'Este item não existe ou foi excluído.',
  unreachable: 'Não foi possível acessar o Posthorn. Verifique sua conexão.',
  timedOut: 'O Posthorn não respondeu a tempo. Tente novamente.',
  pageNotLoaded: 'Não foi possível carregar esta página. Verifique sua conexão.',
  serverError: 'Algo deu errado no servidor. Tente novamente em instantes.',
  wrongCredentials: 'O e-mail ou a senha está incorreto.',
  wrongPassword: 'A senha está incorreta.',
  wrongCode: 'O código está incorreto ou já foi usado. Digite o mais recente.',
  signedOut: 'Sua sessão expirou. Entre novamente.',
  noSignUps: 'O cadastro está desativado nesta instalação. Peça um convite ao proprietário de um projeto.',
  accountExists: 'Já existe uma conta com este e-mail. Entre com ela.',
  usedLink: 'Este link já foi usado ou expirou.',
  endedInvitation: 'Este convite foi aceito ou revogado, ou expirou.',
}
