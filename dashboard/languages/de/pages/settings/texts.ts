/** German texts of the settings page and its tabs. */
import type * as english from '../../../../pages/settings/texts.ts'
import type { Translation } from '../../../translation.ts'

export const settings: Translation<typeof english.settingsTexts> = {
  title: 'Einstellungen',
  leads: {
    project: 'Der Name dieses Projekts und was für alle seine E-Mails gilt.',
    branding:
      'Wird in visuellen E-Mails, in der Fußzeile von Marketing-E-Mails und auf der Abmelde- und der Präferenzseite verwendet.',
    sending:
      'Wann und wie viele Marketing-E-Mails gesendet werden, was ihre Links enthalten und was als Conversion zählt.',
    usage: 'Wie viele E-Mails dieses Projekt jeden Monat verbraucht, und seine Limits.',
    security:
      'Wie oft bei Ihren E-Mails Bounces oder Spam-Beschwerden auftreten. Postfachanbieter lehnen Absender mit hohen Raten ab.',
    members: 'Die Personen, die in diesem Projekt arbeiten können.',
    'audit-log': 'Änderungen am Projekt, neueste zuerst. Einträge können nicht bearbeitet oder gelöscht werden.',
    keys: 'Mit diesen Schlüsseln authentifizieren sich Ihre Apps.',
    smtp: 'Senden Sie aus Apps, die SMTP statt der API verwenden, und empfangen Sie E-Mails für Ihre Domains.',
    account: 'Wie Sie sich anmelden. Es ist in allen Ihren Projekten gleich.',
    installation: 'Nur Betreiber dieser Installation können diese Seite sehen.',
    'system-mail': 'Einladungen, Adressbestätigungen und Links zum Zurücksetzen von Passwörtern.',
  },
  unknownBrowser: 'Unbekannter Browser',
  browserOnSystem: (browser, system) => `${browser} auf ${system}`,
  projectTitle: 'Projekteinstellungen',
  export: {
    title: 'Export',
    lead: 'Laden Sie alles aus diesem Projekt als ZIP-Archiv mit JSON Lines herunter: Kontakte, Einwilligungen, Themen, Vorlagen, Kampagnen, Workflows, E-Mails und Ereignisse. Das Audit-Protokoll hält es fest.',
    action: 'Projekt exportieren',
  },
  groups: {
    project: 'Projekt',
    team: 'Team',
    developers: 'Entwickler',
    account: 'Persönlich',
    installation: 'Installation',
  },
}
