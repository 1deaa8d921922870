/** German labels of fields by their name in the API, and errors, reworded for forms. */
import type * as english from '../../../shell/error-texts.ts'
import type { Translation } from '../../translation.ts'

const FILTER_PARTS: Record<string, string> = { field: 'Feld', operator: 'Operator', value: 'Wert', unit: 'Einheit' }

export const fieldLabels: Translation<typeof english.fieldLabels> = {
  name: 'Name',
  description: 'Beschreibung',
  subject: 'Betreff',
  body: 'Inhalt',
  from: 'Absender',
  fromName: 'Absendername',
  replyTo: 'Antwortadresse',
  type: 'Typ',
  email: 'E-Mail',
  data: 'Daten',
  domain: 'Domain',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  code: 'Authentifizierungscode',
  segmentId: 'Segment',
  templateId: 'Vorlage',
  condition: 'Bedingung',
  audienceCondition: 'Bedingung',
  audienceType: 'Zielgruppe',
  scheduledFor: 'Datum und Uhrzeit',
  trackMembership: 'Zugehörigkeit erfassen',
  triggerType: 'Auslöser',
  triggerConfig: 'Auslöser',
  eventName: 'Ereignis',
  allowReentry: 'Wiedereintritt erlauben',
  language: 'Sprache',
  tracking: 'Öffnungs- und Klick-Tracking',
  role: 'Rolle',
  confirm: 'Projektname',
  file: 'Datei',
  postalAddress: 'Postanschrift',
  logoUrl: 'Logo',
  brandColor: 'Farbe',
  filter: (group, position, part) => {
    const filter = position === undefined ? `Gruppe ${group}` : `Gruppe ${group}, Filter ${position}`
    return part ? `${filter}, ${FILTER_PARTS[part] ?? part}` : filter
  },
}

export const errorMessages: Translation<typeof english.errorMessages> = {
  invalidFields: 'Bitte prüfen Sie die markierten Felder.',
  pastTime: 'Wählen Sie einen Zeitpunkt in der Zukunft.',
  noTime: 'Geben Sie Datum und Uhrzeit ein.',
  noSender: 'Geben Sie die Adresse ein, von der Sie senden.',
  unverifiedDomain:
    'Sie können nur von einer verifizierten Domain senden. Fügen Sie diese auf der Seite „Domains“ hinzu und verifizieren Sie sie.',
  noCondition: 'Fügen Sie mindestens einen Filter hinzu.',
  untrackedMembership:
    'Dieses Segment erfasst keine Zugehörigkeit. Schalten Sie zuerst die Erfassung der Zugehörigkeit ein.',
  dynamicMembers:
    'Zu einem dynamischen Segment können Sie keine Kontakte hinzufügen. Seine Bedingung bestimmt, welche Kontakte es enthält.',
  expiredSetup: 'Diese Einrichtung ist abgelaufen. Beginnen Sie von vorn.',
  gone: 'Dieser Eintrag ist nicht vorhanden oder wurde gelöscht.',
  unreachable: 'Posthorn ist nicht erreichbar. Prüfen Sie Ihre Verbindung.',
  timedOut: 'Posthorn hat nicht rechtzeitig geantwortet. Versuchen Sie es erneut.',
  pageNotLoaded: 'Diese Seite kann nicht geladen werden. Prüfen Sie Ihre Verbindung.',
  serverError: 'Auf dem Server ist ein Fehler aufgetreten. Versuchen Sie es gleich noch einmal.',
  wrongCredentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  wrongPassword: 'Das Passwort ist falsch.',
  wrongCode: 'Der Code ist falsch oder wurde schon verwendet. Geben Sie den neuesten ein.',
  signedOut: 'Ihre Sitzung ist abgelaufen. Melden Sie sich wieder an.',
  noSignUps:
    'Die Registrierung ist bei dieser Installation abgeschaltet. Bitten Sie den Inhaber eines Projekts um eine Einladung.',
  accountExists: 'Für diese E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich damit an.',
  usedLink: 'Dieser Link wurde schon verwendet oder ist abgelaufen.',
  endedInvitation: 'Diese Einladung wurde angenommen oder zurückgezogen oder ist abgelaufen.',
}
