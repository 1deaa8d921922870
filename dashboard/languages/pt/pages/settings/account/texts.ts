/** Portuguese texts of the settings pages about the account of the signed-in user. */
import { formatCount } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/settings/account/texts.ts'
import type { Translation } from '../../../../translation.ts'

export const account: Translation<typeof english.accountTexts> = {
  account: {
    email: 'Endereço de e-mail',
    confirmed: 'Confirmado',
    unconfirmed: 'Não confirmado',
    unverifiedLead:
      'Confirme que este endereço é seu. Enviaremos um link que expira em uma hora e pode ser usado uma vez.',
    unverifiedCaptured:
      'Modo de teste: o link de confirmação não é enviado por e-mail. O operador desta instalação o encontra em <link>E-mails do sistema</link>.',
    sendLink: 'Enviar link de confirmação',
    createLink: 'Criar link de confirmação',
    linkSent: 'Link de confirmação enviado.',
    linkCaptured: 'Link de confirmação criado. Ele está em E-mails do sistema.',
    password: 'Senha',
    currentPassword: 'Senha atual',
    newPassword: 'Nova senha',
    changePassword: 'Alterar senha',
    passwordChanged: 'Senha alterada. Suas outras sessões foram encerradas.',
  },
  language: {
    title: 'Idioma',
    lead: 'O painel é recarregado neste idioma, em todos os navegadores em que você entrar.',
    label: 'Idioma do painel',
    browser: 'O mesmo do navegador',
  },
  twoFactor: {
    title: 'Autenticação de dois fatores',
    on: 'Ativada',
    off: 'Desativada',
    turnOn: 'Ativar',
    turnOff: 'Desativar',
    onLead: (codes: number) =>
      `Para entrar, é preciso um código do seu aplicativo autenticador. Você ainda tem ${formatCount(codes, { one: 'código de recuperação', other: 'códigos de recuperação' })}.`,
    offLead: 'Exija um código de um aplicativo autenticador ao entrar, para que uma senha roubada não seja suficiente.',
    turnOnTitle: 'Ativar autenticação de dois fatores',
    password: 'Senha',
    continue: 'Continuar',
    scanStep: '1. Adicione o Posthorn ao seu aplicativo autenticador',
    scan: 'Escaneie o código QR com o aplicativo.',
    scanElsewhere: 'Ou escaneie este código QR com outro dispositivo:',
    onThisDevice: 'Configurar neste dispositivo',
    setupKey: 'Ou digite esta chave de configuração no aplicativo:',
    codeStep: '2. Digite o código do aplicativo',
    codeHint: 'Seis dígitos. Depois, você receberá códigos de recuperação para guardar.',
    qrCode: 'Código QR para seu aplicativo autenticador',
    copySecret: 'Copiar chave de configuração',
    code: 'Código de autenticação',
    doneTitle: 'A autenticação de dois fatores está ativada',
    doneLead:
      'Guarde estes códigos de recuperação agora. Cada código funciona uma vez se você perder o aplicativo autenticador. Eles não serão exibidos novamente.',
    recoveryCodes: 'Códigos de recuperação',
    codesSaved: 'Guardei os códigos',
    download: 'Baixar códigos',
    done: 'Concluir',
    turnOffTitle: 'Desativar autenticação de dois fatores',
    codeOrRecovery: 'Código de autenticação ou de recuperação',
    keepOn: 'Manter ativada',
  },
  sessions: {
    title: 'Sessões',
    lead: 'Os navegadores em que você está conectado. Se você não reconhece uma sessão, encerre-a e altere sua senha.',
    column: { browser: 'Navegador', address: 'Endereço IP', lastActive: 'Última atividade' },
    current: 'Esta sessão',
    signOut: 'Encerrar',
    signOutLabel: (browser: string) => `Encerrar a sessão em ${browser}`,
    signOutOthers: 'Encerrar outras sessões',
    signedOut: 'Sessão encerrada.',
    othersSignedOut: 'Todas as outras sessões foram encerradas.',
  },
}
