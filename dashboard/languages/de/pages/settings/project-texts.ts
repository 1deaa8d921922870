/** German texts of the settings pages about the project: its settings, branding, usage, billing and reputation. */

import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/settings/project-texts.ts'
import type { Translation } from '../../../translation.ts'
import { socialNetwork } from '../../shell/texts.ts'

const emails = (count: number) => formatCount(count, { one: 'E-Mail', other: 'E-Mails' })

export const project: Translation<typeof english.projectTexts> = {
  preferencePage: {
    title: 'Präferenzseite',
    lead: 'Kontakte erreichen diese Seite über {{manageUrl}} und von Abmeldeseiten aus. Sie enthält immer die öffentlichen Themen und eine Pause.',
    offers: {
      language: 'Kontakte ihre Sprache wählen lassen',
      timezone: 'Kontakte ihre Zeitzone wählen lassen',
      dataDownload: 'Kontakte ihre Daten herunterladen lassen',
    },
    hints: {
      language: 'Wird im Feld „locale“ gespeichert.',
      timezone: 'Wird im Feld „timezone“ gespeichert.',
      dataDownload: 'Wer den Link aus einer E-Mail hat, kann herunterladen, was über den Kontakt gespeichert ist.',
    },
    save: 'Präferenzseite speichern',
    saved: 'Präferenzseite gespeichert.',
  },
  doubleOptIn: {
    title: 'Double-Opt-in',
    lead: 'Neue Kontakte bestätigen ihr Abonnement über einen Link in einer E-Mail, bevor sie Marketing-E-Mails erhalten.',
    enabled: 'Über die API hinzugefügte Kontakte um Bestätigung bitten',
    template: 'Bestätigungs-E-Mail',
    templateHint: 'Ihre eigene Vorlage muss einen Link zu {{confirmUrl}} enthalten.',
    standard: 'E-Mail von Posthorn, in der Sprache des Kontakts',
    redirectUrl: 'Seite nach der Bestätigung',
    redirectUrlHint:
      'Eine URL Ihrer Website. Lassen Sie das Feld leer, um eine Seite zu zeigen, die das Abonnement als bestätigt meldet.',
    save: 'Double-Opt-in speichern',
    saved: 'Double-Opt-in gespeichert.',
  },
  project: {
    name: 'Name',
    tracking: 'Öffnungs- und Klick-Tracking',
    trackingHint:
      'Erfasst, wer E-Mails öffnet und Links anklickt. Bei E-Mails, die Ihre Apps ohne Vorlage senden, wird nie etwas erfasst.',
    trackingOptions: {
      ENABLED: 'Alle E-Mails mit Vorlage',
      MARKETING_ONLY: 'Nur Marketing-E-Mails',
      DISABLED: 'Aus',
    },
    language: 'Sprache',
    languageHint: 'Für die Fußzeile der E-Mails und die Abmeldeseiten von Kontakten ohne Sprache.',
    sendToBounced: 'An Adressen mit Bounce senden',
    sendToBouncedHint:
      'Sendet Transaktions-E-Mails auch an Adressen, die wegen eines permanenten Bounce gesperrt sind. Wenn dies ausgeschaltet ist, schlagen solche E-Mails fehl, was Ihre Reputation schützt. Marketing-E-Mails werden nie an sie gesendet.',
    publicKeyUpdates: 'Änderungen mit dem öffentlichen Schlüssel',
    publicKeyUpdatesHint:
      'Was Ihre Website an Kontakten ändern kann, wenn sie Ereignisse erfasst. Eine Abmeldung durch den Kontakt macht sie nie rückgängig.',
    publicKeyUpdatesOptions: {
      all: 'Daten und Abonnement aller Kontakte',
      new: 'Nur Daten und Abonnement neuer Kontakte',
      none: 'Nichts: nur Ereignisse',
    },
    save: 'Einstellungen speichern',
    saved: 'Einstellungen gespeichert.',
    readOnly: 'Nur Inhaber und Admins können diese Einstellungen ändern.',
  },
  branding: {
    title: 'Branding',
    address: 'Postanschrift',
    addressHint: 'Steht in der Fußzeile von Marketing-E-Mails. Viele Länder schreiben sie vor.',
    addressInContent: 'Die E-Mails selbst enthalten die Postanschrift',
    addressInContentHint: 'Prüfungen verlangen dann keine Anschrift in der Fußzeile.',
    logo: 'Logo-URL',
    logoHint: 'Laden Sie ein Bild hoch oder geben Sie die URL eines Bilds auf Ihrer Website ein.',
    uploadLogo: 'Logo hochladen',
    color: 'Markenfarbe',
    font: 'Schriftart',
    darkMode: 'Dunkle Farben im dunklen Modus',
    darkModeHint:
      'Ob visuelle E-Mails für Personen im dunklen Modus dunkel werden. E-Mails mit eigener Einstellung behalten sie.',
    darkModes: { '': 'In jeder E-Mail festlegen', true: 'Ein', false: 'Aus' },
    fonts: { '': 'Standard', sans: 'Serifenlos', serif: 'Serif', rounded: 'Gerundet', mono: 'Nichtproportional' },
    colors: {
      background: 'Hintergrund',
      contentBackground: 'Inhaltshintergrund',
      textColor: 'Textfarbe',
      linkColor: 'Linkfarbe',
    },
    social: 'Social-Media-Links',
    network: 'Netzwerk',
    networks: socialNetwork,
    socialUrl: 'URL',
    addLink: 'Link hinzufügen',
    removeLink: 'Link entfernen',
    save: 'Branding speichern',
    saved: 'Branding gespeichert.',
    preview: {
      title: 'Vorschau',
      heading: 'Willkommen in Ihrem neuen Tarif',
      text: 'Alles ist bereit. Die ersten Schritte finden Sie in der <link>Einführung</link>.',
      button: 'Dashboard öffnen',
      unsubscribe: 'Abbestellen',
    },
  },
  danger: {
    title: 'Gefahrenbereich',
    reset: 'Projekt zurücksetzen',
    resetLead:
      'Löscht alle Kontakte, Ereignisse, Vorlagen und anderen Daten. Das Projekt selbst, seine API-Schlüssel, Mitglieder und Domains bleiben erhalten. Das lässt sich nicht rückgängig machen.',
    resetTitle: (project) => `${project} zurücksetzen?`,
    resetEffect:
      'Alle Kontakte, Ereignisse, Vorlagen, Kampagnen, Segmente, Workflows und E-Mails in diesem Projekt werden endgültig gelöscht.',
    resetDone: 'Projekt zurückgesetzt.',
    delete: 'Projekt löschen',
    deleteLead:
      'Löscht das Projekt mit allen Daten. Seine API-Schlüssel werden sofort ungültig. Das lässt sich nicht rückgängig machen.',
    deleteTitle: (project) => `${project} löschen?`,
    deleteEffect: 'Das Projekt wird mit allen Daten endgültig gelöscht.',
  },
  usage: {
    sources: {
      transactional: 'Transaktional',
      campaigns: 'Kampagnen',
      workflows: 'Workflows',
      inbound: 'Eingehend',
    },
    limitsTitle: 'Monatliche Limits',
    limitsLead: 'E-Mails über einem Limit werden abgelehnt. Lassen Sie ein Feld leer, um kein Limit zu setzen.',
    noLimit: 'Kein Limit',
    used: (count) => `${emails(count)} in diesem Monat`,
    saveLimits: 'Limits speichern',
    limitsSaved: 'Limits gespeichert.',
    historyTitle: 'Monatlicher Verbrauch',
    historyLead:
      'E-Mails zählen, sobald sie angenommen werden, auch wenn sie am Ende nicht gesendet werden. Daher kann die Zahl höher sein als die der gesendeten E-Mails unter „Reputation“. Monate beginnen um Mitternacht UTC.',
    ofSource: (count, source) => `${source} ${formatNumber(count)}`,
    month: 'Monat',
    total: 'Gesamt',
  },
  billing: {
    offTitle: 'Die Abrechnung ist deaktiviert',
    off: 'Diese Installation berechnet nichts für E-Mails.',
    offOperator:
      'Diese Installation berechnet nichts für E-Mails. Für Abos und Rechnungen legen Sie <secretKey/> und <priceId/> fest. Monatliche Limits funktionieren in jedem Fall.',
    subscription: 'Abo',
    noSubscription: 'Sie haben noch kein Abo.',
    renews: (status) => `${status}, verlängert sich am <time/>`,
    ends: (status) => `${status}, endet am <time/>`,
    openPortal: 'Abrechnungsportal öffnen',
    subscribe: 'Abo abschließen',
    invoices: 'Rechnungen',
    noInvoicesTitle: 'Noch keine Rechnungen',
    noInvoices:
      'Stripe erstellt am Ende jedes Abrechnungszeitraums eine Rechnung. Hier können Sie sie ansehen und herunterladen.',
    column: { invoice: 'Rechnung', status: 'Status', amount: 'Betrag', created: 'Erstellt' },
    draft: 'Entwurf',
    view: 'Ansehen',
    viewInvoice: (number) => (number ? `Rechnung ${number} ansehen` : 'Rechnung ansehen'),
    pdf: 'PDF',
    pdfInvoice: (number) => (number ? `Rechnung ${number} als PDF herunterladen` : 'Rechnung als PDF herunterladen'),
  },
  security: {
    status: 'Status',
    statuses: {
      healthy: { label: 'In Ordnung', advice: 'Ihre Bounce- und Spam-Raten sind niedrig.' },
      warning: {
        label: 'Warnung',
        advice:
          'Ihre Bounce- oder Beschwerderate ist hoch. Senden Sie nur an Personen, die Ihre E-Mails angefordert haben.',
      },
      critical: {
        label: 'Kritisch',
        advice:
          'Postfachanbieter lehnen E-Mails von Absendern mit solchen Raten möglicherweise ab. Pausieren Sie Ihre Kampagnen und entfernen Sie Kontakte, die Ihre E-Mails nicht angefordert haben.',
      },
    },
    disabled: (reason) =>
      reason
        ? `Der Versand ist deaktiviert. Grund: ${reason}`
        : 'Der Versand ist deaktiviert. Wenden Sie sich an Ihren Administrator.',
    periods: { sevenDay: 'Letzte 7 Tage', allTime: 'Gesamter Zeitraum' },
    from: {
      warning: (rate) => `Warnung ab ${rate}`,
      critical: (rate) => `Kritisch ab ${rate}`,
    },
    bouncedEmails: 'E-Mails mit Bounce ansehen',
    complainedEmails: 'Als Spam gemeldete E-Mails ansehen',
    meaning: 'So werden die Raten bewertet',
    period: (count) =>
      `Die letzten 7 Tage zählen, wenn Sie in ihnen mindestens ${formatNumber(count)} E-Mails gesendet haben. Andernfalls zählen alle E-Mails. Gelöschte E-Mails sind enthalten.`,
    atWarning: '<level>Warnung:</level> Die Übersicht zeigt einen Hinweis. Ihre E-Mails werden weiterhin gesendet.',
    atCritical:
      '<level>Kritisch:</level> Postfachanbieter beginnen möglicherweise, Ihre E-Mails abzulehnen. Wenn diese Installation <setting/> verwendet, wird das Projekt deaktiviert und kann nichts senden, bis der Betreiber es wieder aktiviert.',
    suppressed:
      'Adressen mit permanentem Bounce oder Spam-Beschwerde erhalten keine Marketing-E-Mails mehr. Siehe <link>Sperrliste</link>.',
    bounces: 'Permanente Bounces',
    complaints: 'Spam-Beschwerden',
    countOf: (count, sent) => `${formatNumber(count)} von ${emails(sent)}`,
    minimum: (count) => `Ihre Reputation wird bewertet, sobald Sie ${emails(count)} gesendet haben.`,
  },
}
