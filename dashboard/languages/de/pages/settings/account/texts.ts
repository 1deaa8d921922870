/** German texts of the settings pages about the account of the signed-in user. */

import { formatCount } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/settings/account/texts.ts'
import type { Translation } from '../../../../translation.ts'

export const account: Translation<typeof english.accountTexts> = {
  account: {
    email: 'E-Mail-Adresse',
    confirmed: 'Bestätigt',
    unconfirmed: 'Nicht bestätigt',
    unverifiedLead:
      'Bestätigen Sie, dass dies Ihre Adresse ist. Wir senden Ihnen einen Link, der eine Stunde lang gilt und einmal verwendet werden kann.',
    unverifiedCaptured:
      'Testmodus: Der Bestätigungslink wird nicht per E-Mail gesendet. Der Betreiber dieser Installation findet ihn unter <link>Systemnachrichten</link>.',
    sendLink: 'Bestätigungslink senden',
    createLink: 'Bestätigungslink erstellen',
    linkSent: 'Bestätigungslink gesendet.',
    linkCaptured: 'Bestätigungslink erstellt. Er steht unter „Systemnachrichten“.',
    password: 'Passwort',
    currentPassword: 'Aktuelles Passwort',
    newPassword: 'Neues Passwort',
    changePassword: 'Passwort ändern',
    passwordChanged: 'Passwort geändert. Ihre anderen Sitzungen wurden beendet.',
  },
  language: {
    title: 'Sprache',
    lead: 'Das Dashboard wird in dieser Sprache neu geladen, in jedem Browser, in dem Sie sich anmelden.',
    label: 'Sprache des Dashboards',
    browser: 'Wie im Browser',
  },
  twoFactor: {
    title: 'Zwei-Faktor-Authentifizierung',
    on: 'Ein',
    off: 'Aus',
    turnOn: 'Einschalten',
    turnOff: 'Ausschalten',
    onLead: (codes) =>
      `Zum Anmelden brauchen Sie einen Code aus Ihrer Authenticator-App. Sie haben noch ${formatCount(codes, { one: 'Wiederherstellungscode', other: 'Wiederherstellungscodes' })}.`,
    offLead:
      'Verlangen Sie beim Anmelden einen Code aus einer Authenticator-App, damit ein gestohlenes Passwort allein nicht genügt.',
    turnOnTitle: 'Zwei-Faktor-Authentifizierung einschalten',
    password: 'Passwort',
    continue: 'Weiter',
    scanStep: '1. Posthorn zu Ihrer Authenticator-App hinzufügen',
    scan: 'Scannen Sie den QR-Code mit der App.',
    scanElsewhere: 'Oder scannen Sie diesen QR-Code mit einem anderen Gerät:',
    onThisDevice: 'Auf diesem Gerät einrichten',
    setupKey: 'Oder geben Sie diesen Einrichtungsschlüssel in der App ein:',
    codeStep: '2. Code aus der App eingeben',
    codeHint: 'Sechs Ziffern. Danach erhalten Sie Wiederherstellungscodes zum Speichern.',
    qrCode: 'QR-Code für Ihre Authenticator-App',
    copySecret: 'Einrichtungsschlüssel kopieren',
    code: 'Authentifizierungscode',
    doneTitle: 'Die Zwei-Faktor-Authentifizierung ist eingeschaltet',
    doneLead:
      'Speichern Sie diese Wiederherstellungscodes jetzt. Jeder Code funktioniert einmal, falls Sie Ihre Authenticator-App verlieren. Sie werden nicht noch einmal angezeigt.',
    recoveryCodes: 'Wiederherstellungscodes',
    codesSaved: 'Ich habe die Codes gespeichert',
    download: 'Codes herunterladen',
    done: 'Fertig',
    turnOffTitle: 'Zwei-Faktor-Authentifizierung ausschalten',
    codeOrRecovery: 'Authentifizierungs- oder Wiederherstellungscode',
    keepOn: 'Eingeschaltet lassen',
  },
  sessions: {
    title: 'Sitzungen',
    lead: 'Die Browser, in denen Sie angemeldet sind. Wenn Sie eine Sitzung nicht erkennen, beenden Sie sie und ändern Sie Ihr Passwort.',
    column: { browser: 'Browser', address: 'IP-Adresse', lastActive: 'Zuletzt aktiv' },
    current: 'Diese Sitzung',
    signOut: 'Beenden',
    signOutLabel: (browser) => `Sitzung in ${browser} beenden`,
    signOutOthers: 'Andere Sitzungen beenden',
    signedOut: 'Sitzung beendet.',
    othersSignedOut: 'Alle anderen Sitzungen wurden beendet.',
  },
}
