/** German texts of the pages for signing in, signing up and joining a project. */
import type * as english from '../../../../pages/accounts/texts.ts'
import type { Translation } from '../../../translation.ts'

export const accounts: Translation<typeof english.texts> = {
  signIn: {
    title: 'Anmelden',
    password: 'Passwort',
    code: 'Authentifizierungscode',
    codeHint: 'Geben Sie den Code aus Ihrer Authenticator-App oder einen Wiederherstellungscode ein.',
    submit: 'Anmelden',
    forgotPassword: 'Passwort vergessen?',
    continueWith: (provider) => `Weiter mit ${provider}`,
    signUp: 'Noch kein Konto? <link>Registrieren</link>',
  },
  signUp: {
    title: 'Konto erstellen',
    password: 'Passwort',
    submit: 'Konto erstellen',
    signIn: 'Sie haben bereits ein Konto? <link>Anmelden</link>',
    closedTitle: 'Die Registrierung ist deaktiviert',
    closed: 'Um ein Konto zu erstellen, brauchen Sie eine Einladung. Bitten Sie Ihren Administrator darum.',
  },
  forgotPassword: {
    title: 'Passwort zurücksetzen',
    lead: 'Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort festlegen.',
    submit: 'Link senden',
    back: 'Zurück zur Anmeldung',
    sentTitle: 'Sehen Sie in Ihrem Postfach nach',
    sent: (email) =>
      `Wenn es ein Konto für ${email} gibt, erhalten Sie in Kürze einen Link zum Zurücksetzen. Er gilt eine Stunde lang und kann einmal verwendet werden.`,
  },
  resetPassword: {
    title: 'Neues Passwort festlegen',
    password: 'Neues Passwort',
    submit: 'Passwort festlegen',
    signIn: 'Anmelden',
    doneTitle: 'Passwort geändert',
    done: 'Sie wurden auf allen Geräten abgemeldet. Melden Sie sich mit Ihrem neuen Passwort an.',
  },
  verifyEmail: {
    title: 'E-Mail-Adresse bestätigen',
    lead: 'Bestätigen Sie, dass diese Adresse Ihnen gehört, damit Sie E-Mails zu Ihrem Konto erhalten können.',
    submit: 'E-Mail-Adresse bestätigen',
    doneTitle: 'E-Mail-Adresse bestätigt',
    done: 'Sie können diese Seite schließen oder zum Dashboard gehen.',
    home: 'Zum Dashboard',
  },
  invitation: {
    title: (project) => `${project} beitreten`,
    lead: (email, invitedBy) =>
      invitedBy
        ? `${invitedBy} hat ${email} eingeladen, diesem Projekt beizutreten.`
        : `${email} wurde eingeladen, diesem Projekt beizutreten.`,
    signUp: 'Noch kein Konto? <link>Konto erstellen</link>',
    accept: 'Einladung annehmen',
    signInFirst: (email) => `<link>Melden Sie sich</link> als ${email} an, um die Einladung anzunehmen.`,
    toDashboard: 'Zum Dashboard',
    invalidTitle: 'Diese Einladung ist nicht mehr gültig',
    invalid:
      'Sie ist vielleicht abgelaufen oder wurde widerrufen. Bitten Sie die Person, die Sie eingeladen hat, um eine neue. Wenn Sie die Einladung schon angenommen haben, gehen Sie zum Dashboard.',
  },
}
