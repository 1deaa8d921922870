/** French texts of the pages for signing in, signing up and joining a project. */

import type * as english from '../../../../pages/accounts/texts.ts'
import type { Translation } from '../../../translation.ts'

export const accounts: Translation<typeof english.texts> = {
  signIn: {
    title: 'Connexion',
    password: 'Mot de passe',
    code: 'Code d’authentification',
    codeHint: 'Saisissez le code de votre application d’authentification ou un code de récupération.',
    submit: 'Se connecter',
    forgotPassword: 'Mot de passe oublié ?',
    continueWith: (provider) => `Continuer avec ${provider}`,
    signUp: 'Vous n’avez pas de compte ? <link>Créer un compte</link>',
  },
  signUp: {
    title: 'Créez votre compte',
    password: 'Mot de passe',
    submit: 'Créer le compte',
    signIn: 'Vous avez déjà un compte ? <link>Se connecter</link>',
    closedTitle: 'Les inscriptions sont désactivées',
    closed: 'Une invitation est nécessaire pour créer un compte. Demandez à votre administrateur de vous inviter.',
  },
  forgotPassword: {
    title: 'Réinitialisez votre mot de passe',
    lead: 'Saisissez votre adresse e-mail : nous vous enverrons un lien pour définir un nouveau mot de passe.',
    submit: 'Envoyer le lien',
    back: 'Retour à la connexion',
    sentTitle: 'Consultez votre boîte de réception',
    sent: (email) =>
      `Si ${email} correspond à un compte, vous recevrez bientôt un lien de réinitialisation. Il expire au bout d’une heure et ne peut servir qu’une fois.`,
  },
  resetPassword: {
    title: 'Définissez un nouveau mot de passe',
    password: 'Nouveau mot de passe',
    submit: 'Définir le mot de passe',
    signIn: 'Se connecter',
    doneTitle: 'Mot de passe modifié',
    done: 'Vous avez été déconnecté de tous les appareils. Connectez-vous avec votre nouveau mot de passe.',
  },
  verifyEmail: {
    title: 'Confirmez votre adresse e-mail',
    lead: 'Confirmez que cette adresse vous appartient, afin de recevoir les e-mails liés à votre compte.',
    submit: 'Confirmer l’adresse e-mail',
    doneTitle: 'Adresse e-mail confirmée',
    done: 'Vous pouvez fermer cette page ou aller au tableau de bord.',
    home: 'Aller au tableau de bord',
  },
  invitation: {
    title: (project) => `Rejoindre ${project}`,
    lead: (email, invitedBy) =>
      invitedBy
        ? `${invitedBy} a invité ${email} à rejoindre ce projet.`
        : `${email} est invité à rejoindre ce projet.`,
    signUp: 'Vous n’avez pas encore de compte ? <link>Créer un compte</link>',
    accept: 'Accepter l’invitation',
    signInFirst: (email) => `<link>Connectez-vous</link> en tant que ${email} pour accepter l’invitation.`,
    toDashboard: 'Aller au tableau de bord',
    invalidTitle: 'Cette invitation n’est plus valable',
    invalid:
      'Elle a peut-être expiré ou été révoquée. Demandez-en une nouvelle à la personne qui vous a invité. Si vous l’avez déjà acceptée, allez au tableau de bord.',
  },
}
