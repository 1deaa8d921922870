/** The pages for recipients in German. */
import type { PageTexts } from './types.ts'

export const de: PageTexts = {
  unsubscribe: {
    title: 'Newsletter von {project} abbestellen?',
    text: '{email} erhält dann keine Newsletter und Angebote von {project} mehr.',
    button: 'Abbestellen',
  },
  unsubscribed: {
    title: 'Newsletter abbestellt',
    text: '{email} erhält keine Newsletter und Angebote von {project} mehr.',
    back: 'Wieder abonnieren',
  },
  subscribe: {
    title: 'Newsletter von {project} abonnieren?',
    text: '{email} erhält dann Newsletter und Angebote von {project}. Sie können sie jederzeit abbestellen.',
    button: 'Abonnieren',
  },
  subscribed: {
    title: 'Newsletter abonniert',
    text: '{email} erhält Newsletter und Angebote von {project}. Sie können sie jederzeit abbestellen.',
  },
  manage: {
    title: 'E-Mail-Einstellungen',
    question: 'Welche E-Mails von {project} möchten Sie an {email} erhalten?',
    never: 'Newsletter nicht abonniert',
    save: 'Speichern',
    saved: 'Ihre Einstellungen wurden gespeichert.',
  },
  all: { name: 'Alle E-Mails', description: 'Einschließlich Newsletter und Angebote' },
  necessary: {
    name: 'Nur notwendige E-Mails',
    description: 'Zum Beispiel Rechnungen und Links zum Zurücksetzen des Passworts',
  },
  gone: {
    title: 'Diese Adresse ist nicht mehr gespeichert',
    text: 'Die Daten zu diesem Link wurden gelöscht. Es gibt daher keine Einstellungen mehr, die Sie ändern können.',
  },
  unknown: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Möglicherweise ist er unvollständig. Öffnen Sie die E-Mail noch einmal und klicken Sie dort auf den Link. Wenn er weiterhin nicht funktioniert, antworten Sie auf die E-Mail.',
  },
  emailGone: {
    title: 'Diese E-Mail ist nicht mehr verfügbar',
    text: 'E-Mails können nur für begrenzte Zeit im Browser angezeigt werden.',
  },
  emailErased: {
    title: 'Diese E-Mail wurde gelöscht',
    text: 'Der Inhalt wurde zusammen mit den zugehörigen personenbezogenen Daten gelöscht.',
  },
  topic: {
    unsubscribe: { title: '„{topic}“ abbestellen?', text: '{email} erhält dann „{topic}“ von {project} nicht mehr.' },
    unsubscribed: { title: '„{topic}“ abbestellt', text: '{email} erhält „{topic}“ von {project} nicht mehr.' },
    subscribe: {
      title: '„{topic}“ abonnieren?',
      text: '{email} erhält dann „{topic}“ von {project}. Sie können es jederzeit abbestellen.',
    },
    subscribed: {
      title: '„{topic}“ abonniert',
      text: '{email} erhält „{topic}“ von {project}. Sie können es jederzeit abbestellen.',
    },
    everything: 'Alles abbestellen',
    topics: 'Themen',
    pause: {
      title: 'Pause einlegen',
      text: 'Ihr Abonnement bleibt bestehen, aber bis zum Ende der Pause erhalten Sie keine Newsletter und Angebote.',
      button: '{days} Tage pausieren',
      paused: 'Pausiert bis {date}',
      resume: 'Jetzt fortsetzen',
    },
  },
  settings: {
    title: 'Sprache und Zeitzone',
    language: 'Sprache',
    timezone: 'Zeitzone',
    unset: 'Keine Angabe',
    download: {
      title: 'Ihre Daten',
      text: 'Laden Sie als Datei herunter, was {project} über {email} speichert.',
      button: 'Daten herunterladen',
    },
  },
}
