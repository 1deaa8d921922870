/** Portuguese texts of the pages for signing in, signing up and joining a project. */
import type * as english from '../../../../pages/accounts/texts.ts'
import type { Translation } from '../../../translation.ts'

export const accounts: Translation<typeof english.texts> = {
  signIn: {
    title: 'Entrar',
    password: 'Senha',
    code: 'Código de autenticação',
    codeHint: 'Digite o código do seu aplicativo autenticador ou um código de recuperação.',
    submit: 'Entrar',
    forgotPassword: 'Esqueceu sua senha?',
    continueWith: (provider: string) => `Continuar com ${provider}`,
    signUp: 'Não tem uma conta? <link>Cadastre-se</link>',
  },
  signUp: {
    title: 'Crie sua conta',
    password: 'Senha',
    submit: 'Criar conta',
    signIn: 'Já tem uma conta? <link>Entre</link>',
    closedTitle: 'O cadastro está desativado',
    closed: 'Você precisa de um convite para criar uma conta. Peça ao seu administrador que convide você.',
  },
  forgotPassword: {
    title: 'Redefina sua senha',
    lead: 'Informe seu endereço de e-mail, e enviaremos um link para definir uma nova senha.',
    submit: 'Enviar link de redefinição',
    back: 'Voltar ao login',
    sentTitle: 'Verifique sua caixa de entrada',
    sent: (email: string) =>
      `Se ${email} tiver uma conta, você receberá em instantes um link de redefinição. Ele expira em uma hora e pode ser usado uma vez.`,
  },
  resetPassword: {
    title: 'Defina uma nova senha',
    password: 'Nova senha',
    submit: 'Definir senha',
    signIn: 'Entrar',
    doneTitle: 'Senha atualizada',
    done: 'Suas sessões foram encerradas em todos os dispositivos. Entre com sua nova senha.',
  },
  verifyEmail: {
    title: 'Confirme seu endereço de e-mail',
    lead: 'Confirme que este endereço é seu, para poder receber os e-mails da conta.',
    submit: 'Confirmar endereço de e-mail',
    doneTitle: 'Endereço de e-mail confirmado',
    done: 'Você pode fechar esta página ou ir para o painel.',
    home: 'Ir para o painel',
  },
  invitation: {
    title: (project: string) => `Participar de ${project}`,
    lead: (email: string, invitedBy: string | null) =>
      invitedBy
        ? `${invitedBy} convidou ${email} para participar deste projeto.`
        : `${email} recebeu um convite para participar deste projeto.`,
    signUp: 'Ainda não tem uma conta? <link>Criar conta</link>',
    accept: 'Aceitar convite',
    signInFirst: (email: string) => `<link>Entre</link> como ${email} para aceitar o convite.`,
    toDashboard: 'Ir para o painel',
    invalidTitle: 'Este convite não é mais válido',
    invalid:
      'Ele pode ter expirado ou sido revogado. Peça um novo a quem convidou você. Se você já o aceitou, vá para o painel.',
  },
}
