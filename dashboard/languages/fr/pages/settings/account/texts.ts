/** French texts of the settings pages about the account of the signed-in user. */

import { formatCount } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/settings/account/texts.ts'
import type { Translation } from '../../../../translation.ts'

export const account: Translation<typeof english.accountTexts> = {
  account: {
    email: 'Adresse e-mail',
    confirmed: 'Confirmée',
    unconfirmed: 'Non confirmée',
    unverifiedLead:
      'Confirmez que cette adresse est la vôtre. Nous vous enverrons un lien qui expire au bout d’une heure et ne peut servir qu’une fois.',
    unverifiedCaptured:
      'Mode test : le lien de confirmation n’est pas envoyé par e-mail. L’opérateur de cette installation le trouve sous <link>E-mails système</link>.',
    sendLink: 'Envoyer le lien de confirmation',
    createLink: 'Créer le lien de confirmation',
    linkSent: 'Lien de confirmation envoyé.',
    linkCaptured: 'Lien de confirmation créé. Il se trouve sous E-mails système.',
    password: 'Mot de passe',
    currentPassword: 'Mot de passe actuel',
    newPassword: 'Nouveau mot de passe',
    changePassword: 'Modifier le mot de passe',
    passwordChanged: 'Mot de passe modifié. Vos autres sessions ont été déconnectées.',
  },
  language: {
    title: 'Langue',
    lead: 'Le tableau de bord se recharge dans cette langue, dans tous les navigateurs où vous vous connectez.',
    label: 'Langue du tableau de bord',
    browser: 'Comme dans le navigateur',
  },
  twoFactor: {
    title: 'Authentification à deux facteurs',
    on: 'Activée',
    off: 'Désactivée',
    turnOn: 'Activer',
    turnOff: 'Désactiver',
    onLead: (codes) =>
      `La connexion nécessite un code de votre application d’authentification. Il vous reste ${formatCount(codes, { one: 'code de récupération', other: 'codes de récupération' })}.`,
    offLead:
      'Exigez un code d’une application d’authentification à la connexion, afin qu’un mot de passe volé ne suffise pas.',
    turnOnTitle: 'Activer l’authentification à deux facteurs',
    password: 'Mot de passe',
    continue: 'Continuer',
    scanStep: '1. Ajoutez Posthorn à votre application d’authentification',
    scan: 'Scannez le QR code avec l’application.',
    scanElsewhere: 'Ou scannez ce QR code avec un autre appareil :',
    onThisDevice: 'Configurer sur cet appareil',
    setupKey: 'Ou saisissez cette clé de configuration dans l’application :',
    codeStep: '2. Saisissez le code de l’application',
    codeHint: 'Six chiffres. Vous recevrez ensuite des codes de récupération à conserver.',
    qrCode: 'QR code pour votre application d’authentification',
    copySecret: 'Copier la clé de configuration',
    code: 'Code d’authentification',
    doneTitle: 'L’authentification à deux facteurs est activée',
    doneLead:
      'Conservez ces codes de récupération maintenant. Chacun fonctionne une fois si vous perdez votre application d’authentification. Ils ne seront plus affichés.',
    recoveryCodes: 'Codes de récupération',
    codesSaved: 'J’ai conservé les codes',
    download: 'Télécharger les codes',
    done: 'Terminer',
    turnOffTitle: 'Désactiver l’authentification à deux facteurs',
    codeOrRecovery: 'Code d’authentification ou de récupération',
    keepOn: 'La garder activée',
  },
  sessions: {
    title: 'Sessions',
    lead: 'Les navigateurs où vous êtes connecté. Si vous ne reconnaissez pas une session, déconnectez-la et modifiez votre mot de passe.',
    column: { browser: 'Navigateur', address: 'Adresse IP', lastActive: 'Dernière activité' },
    current: 'Cette session',
    signOut: 'Déconnecter',
    signOutLabel: (browser) => `Déconnecter la session ${browser}`,
    signOutOthers: 'Déconnecter les autres sessions',
    signedOut: 'Session déconnectée.',
    othersSignedOut: 'Toutes les autres sessions ont été déconnectées.',
  },
}
