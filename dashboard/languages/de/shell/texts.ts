/** German texts that several pages share: navigation, dialogs, lists, errors and the condition editor. */

import { formatCount, formatNumber, formatPercent } from '../../../figures/format.ts'
import type * as english from '../../../shell/texts.ts'
import type { Translation } from '../../translation.ts'

const contacts = (count: number) => formatCount(count, { one: 'Kontakt', other: 'Kontakte' })

export const shared: Translation<typeof english.sharedTexts> = {
  productName: 'Posthorn',
  pageTitle: (title) => `${title} · Posthorn`,
  cancel: 'Abbrechen',
  close: 'Schließen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  dismiss: 'Ausblenden',
  undo: 'Rückgängig',
  delete: 'Löschen',
  duplicate: 'Duplizieren',
  remove: 'Entfernen',
  loading: 'Wird geladen',
  retry: 'Erneut versuchen',
  saved: 'Gespeichert',
  notLoaded: (what) => `Fehler beim Laden: ${what}`,
  checkFields: 'Prüfen Sie die markierten Felder.',
  actions: 'Aktionen',
  moreActions: 'Weitere Aktionen',
  missing: '–',
  quoted: (text) => `„${text}“`,
  labeled: (label, text) => `${label}: ${text}`,
  noSubject: '(kein Betreff)',
  clearSearch: 'Suche und Filter zurücksetzen',
  requestId: (id) => `Anfrage-ID: ${id}`,
  typeToConfirm: (text) => `Geben Sie zur Bestätigung „${text}“ ein`,
  subscribed: 'Abonniert',
  notSubscribed: 'Nicht abonniert',
  secretKey: 'Geheimer Schlüssel',
  publicKey: 'Öffentlicher Schlüssel',
  contacts,
}

export const change: Translation<typeof english.changeTexts> = {
  none: 'Unverändert',
  up: 'Gestiegen',
  down: 'Gesunken',
  percent: (ratio) => formatPercent(ratio),
  points: (difference) => formatCount(Math.round(difference * 1000) / 10, { one: 'Punkt', other: 'Punkte' }),
  since: (days) => `Im Vergleich zu den vorherigen ${formatNumber(days)} Tagen.`,
}

export const count: Translation<typeof english.countTexts> = {
  sent: 'E-Mails, die der Mailserver angenommen hat.',
  delivered: 'Zugestellte E-Mails ohne späteren Bounce, als Anteil an den E-Mails, die gesendet oder abgelehnt wurden.',
  opened:
    'E-Mails, die ein Mensch geöffnet oder angeklickt hat, als Anteil an den zugestellten E-Mails. Wenn der Mailserver keine Zustellungen meldet: an den E-Mails ohne Bounce.',
  clicked:
    'E-Mails, in denen ein Mensch einen Link angeklickt hat, als Anteil an den zugestellten E-Mails. Wenn der Mailserver keine Zustellungen meldet: an den E-Mails ohne Bounce.',
  bounced: 'Permanente Bounces, als Anteil an den E-Mails, die gesendet oder abgelehnt wurden.',
  complained: 'Als Spam gemeldete E-Mails, als Anteil an den E-Mails, die gesendet oder abgelehnt wurden.',
  unsubscribed: 'Empfänger, die sich über diese Kampagne abgemeldet haben, als Anteil an den zugestellten E-Mails.',
}

export const pager: Translation<typeof english.pagerTexts> = {
  label: 'Seiten',
  first: 'Erste Seite',
  previous: 'Zurück',
  next: 'Weiter',
  rows: (first, rows, total) =>
    `${formatNumber(first)}–${formatNumber(first + rows - 1)}${total ? ` (insgesamt ${total})` : ''}`,
  position: (page, totalPages) => `Seite ${formatNumber(page)} von ${formatNumber(totalPages)}`,
}

export const navigation: Translation<typeof english.navigationTexts> = {
  project: 'Projekt',
  account: 'Konto',
  skip: 'Zum Inhalt springen',
  openMenu: 'Menü öffnen',
  closeMenu: 'Menü schließen',
  search: 'Suche',
  newProject: 'Neues Projekt',
  disabled: (reason) =>
    reason
      ? `Dieses Projekt ist deaktiviert und kann keine E-Mails senden. Grund: ${reason}`
      : 'Dieses Projekt ist deaktiviert und kann keine E-Mails senden. Wenden Sie sich an Ihren Administrator.',
  themes: { light: 'Helles Design', dark: 'Dunkles Design', system: 'Design des Systems' },
  apiReference: 'API-Referenz',
  signOut: 'Abmelden',
}

export const palette: Translation<typeof english.paletteTexts> = {
  label: 'Suche und Befehle',
  placeholder: 'Suchen oder springen zu …',
  closeKey: 'Esc',
  hint: 'Geben Sie mindestens zwei Buchstaben ein, um Kontakte, Kampagnen, Segmente, E-Mails und mehr zu finden.',
  empty: 'Keine Ergebnisse',
  goTo: 'Gehe zu',
  create: 'Befehle',
  projects: 'Projekte',
  settings: 'Einstellungen',
  settingsTab: (tab) => `Einstellungen: ${tab}`,
  toLight: 'Zum hellen Design wechseln',
  toDark: 'Zum dunklen Design wechseln',
  contacts: 'Kontakte',
  campaigns: 'Kampagnen',
  templates: 'Vorlagen',
  workflows: 'Workflows',
  segments: 'Segmente',
  emails: 'E-Mails',
  email: (subject, to) => `${subject} an ${to}`,
  contact: (email, name) => (name ? `${email} (${name})` : email),
  newProject: 'Projekt erstellen',
  docs: 'Dokumentation öffnen',
  signOut: 'Abmelden',
}

export const tag: Translation<typeof english.tagTexts> = {
  filter: 'Schlagwort',
  all: 'Alle Schlagwörter',
  name: 'Schlagwort',
  add: 'Neues Schlagwort',
  addTo: (name) => `Schlagwort zu ${name} hinzufügen`,
  change: 'Bearbeiten',
  edit: (name) => `Schlagwörter von ${name} bearbeiten`,
  show: (tag) => `Alles mit dem Schlagwort ${tag} anzeigen`,
  remove: (tag) => `Schlagwort ${tag} entfernen`,
}

export const picker: Translation<typeof english.pickerTexts> = {
  recent: 'Zuletzt verwendet',
  others: 'Alle',
  empty: 'Keine Treffer',
  searching: 'Suche läuft …',
  failed: 'Die Liste konnte nicht geladen werden.',
  gone: 'Nicht mehr vorhanden',
  more: (count) => `Weitere: ${formatNumber(count)}. Tippen Sie, um sie zu finden.`,
  found: (count) => (count === 0 ? 'Keine Treffer' : formatCount(count, { one: 'Treffer', other: 'Treffer' })),
  contactPlaceholder: 'Name oder Adresse',
  templatePlaceholder: 'Vorlagen durchsuchen',
  segmentPlaceholder: 'Segmente durchsuchen',
  workflowPlaceholder: 'Workflows durchsuchen',
  campaignPlaceholder: 'Kampagnen durchsuchen',
  segmentSize: contacts,
}

export const socialNetwork: Translation<typeof english.socialNetworkTexts> = {
  website: 'Website',
  x: 'X',
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  github: 'GitHub',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
  threads: 'Threads',
}

export const sort: Translation<typeof english.sortTexts> = {
  ascending: 'aufsteigend sortiert',
  descending: 'absteigend sortiert',
}

export const shortcut: Translation<typeof english.shortcutTexts> = {
  title: 'Tastenkürzel',
  general: 'Überall',
  palette: 'Suche und Befehle',
  search: 'Diese Liste durchsuchen',
  save: 'Speichern',
  submit: 'Formular absenden',
  help: 'Tastenkürzel anzeigen',
  lists: 'Listen',
  next: 'Nächste Zeile',
  previous: 'Vorherige Zeile',
  open: 'Zeile öffnen',
  select: 'Zeile auswählen',
  goTo: 'Gehe zu',
  keyAfter: 'dann',
  keyOr: 'oder',
}

export const error: Translation<typeof english.errorTexts> = {
  notFoundTitle: 'Seite nicht gefunden',
  notFound: 'Vielleicht ist der Link falsch oder das Ziel wurde gelöscht.',
  home: 'Zum Dashboard',
  missing: (title) => `${title} nicht gefunden`,
  backTo: (label) => `Zurück zu „${label}“`,
  failedTitle: 'Es ist ein Fehler aufgetreten',
}

export const accountField: Translation<typeof english.accountFieldTexts> = {
  email: 'E-Mail',
  password: 'Passwort',
  passwordHint: 'Verwenden Sie mindestens 8 Zeichen.',
}

export const color: Translation<typeof english.colorTexts> = { pick: (label) => `${label}: Farbe wählen` }

export const captured: Translation<typeof english.capturedTexts> = {
  notice: 'Testmodus: E-Mails bleiben hier und werden nicht gesendet.',
}

export const connection: Translation<typeof english.connectionTexts> = {
  offline: 'Sie sind offline. Posthorn verbindet sich automatisch wieder, und Ihre Änderungen bleiben erhalten.',
  unreachable: 'Posthorn ist nicht erreichbar. Es wird erneut versucht …',
  retry: 'Jetzt versuchen',
  slow: 'Das dauert länger als gewöhnlich.',
}

export const unsaved: Translation<typeof english.unsavedTexts> = {
  title: 'Seite verlassen, ohne zu speichern?',
  lead: 'Auf dieser Seite gibt es nicht gespeicherte Änderungen. Wenn Sie die Seite verlassen, gehen sie verloren.',
  stay: 'Weiter bearbeiten',
  leave: 'Änderungen verwerfen',
  restored: 'Ihre nicht gespeicherten Änderungen wurden wiederhergestellt.',
  discard: 'Änderungen verwerfen',
  discardEntered: 'Ihre Änderungen verwerfen?',
}

export const testEmail: Translation<typeof english.testEmailTexts> = {
  open: 'Test-E-Mail senden',
  to: 'Empfänger',
  send: 'Test-E-Mail senden',
  sent: (address) => `Test-E-Mail an ${address} gesendet.`,
  view: 'E-Mail ansehen',
}

export const sharedBlock: Translation<typeof english.sharedBlockTexts> = {
  layout: 'Layout',
  layoutHint: 'Kopf- und Fußzeile um diese E-Mail.',
  noLayout: 'Kein Layout',
  insert: 'Gespeicherte Blöcke',
  choose: 'Kopie einfügen …',
  save: 'Block speichern',
  saveLead: 'Ihr Team kann eine Kopie dieses Blocks in andere E-Mails einfügen.',
  saved: 'Block gespeichert.',
  name: 'Name',
}

export const emailPreview: Translation<typeof english.emailPreviewTexts> = {
  imagesBlocked: 'Externe Bilder sind blockiert.',
  showImages: 'Bilder anzeigen',
  probe: 'Höhe der E-Mail',
  desktop: 'Desktop-Breite',
  phone: 'Smartphone-Breite',
  light: 'Im hellen Modus anzeigen',
  dark: 'Im dunklen Modus anzeigen',
}

export const imageUpload: Translation<typeof english.imageUploadTexts> = { imageFile: 'Bilddatei' }

export const bodyEditor: Translation<typeof english.bodyEditorTexts> = {
  section: 'Inhalt',
  editor: 'Inhalt (HTML mit Liquid)',
  hint: 'Unterstützt Liquid und Ersatztexte: <variable/>, <tag/>',
  uploadImage: 'Bild hochladen',
  copyImage: 'HTML des Bildes kopieren',
}

export const status: Translation<typeof english.statusTexts> = {
  emails: {
    SCHEDULED: 'Geplant',
    PENDING: 'Ausstehend',
    SENDING: 'Wird gesendet',
    SENT: 'Gesendet',
    DELIVERED: 'Zugestellt',
    OPENED: 'Geöffnet',
    CLICKED: 'Geklickt',
    BOUNCED: 'Bounce',
    COMPLAINED: 'Als Spam markiert',
    FAILED: 'Fehlgeschlagen',
    CANCELLED: 'Abgebrochen',
    SKIPPED: 'Übersprungen',
    RECEIVED: 'Empfangen',
  },
  sources: {
    TRANSACTIONAL: 'Transaktional',
    CAMPAIGN: 'Kampagne',
    WORKFLOW: 'Workflow',
    INBOUND: 'Eingehend',
    TEST: 'Test',
  },
  campaigns: {
    DRAFT: 'Entwurf',
    SCHEDULED: 'Geplant',
    SENDING: 'Wird gesendet',
    SENT: 'Gesendet',
    CANCELLED: 'Abgebrochen',
    PAUSED: 'Pausiert',
    NOT_STARTED: 'Nicht gestartet',
  },
  executions: {
    RUNNING: 'Läuft',
    WAITING: 'Wartet',
    COMPLETED: 'Abgeschlossen',
    EXITED: 'Beendet',
    SKIPPED: 'Übersprungen',
    FAILED: 'Fehlgeschlagen',
    CANCELLED: 'Abgebrochen',
  },
  subscriptions: {
    active: 'Aktiv',
    trialing: 'Testphase',
    past_due: 'Überfällig',
    unpaid: 'Unbezahlt',
    canceled: 'Gekündigt',
    incomplete: 'Unvollständig',
    incomplete_expired: 'Unvollständig, abgelaufen',
    paused: 'Pausiert',
  },
  invoices: {
    draft: 'Entwurf',
    open: 'Offen',
    paid: 'Bezahlt',
    uncollectible: 'Uneinbringlich',
    void: 'Storniert',
  },
}

export const chart: Translation<typeof english.chartTexts> = {
  day: 'Tag',
  today: (day) => `${day}, bisher`,
  todaySoFar: 'Heute bisher',
}

export const activities: Translation<typeof english.activityTexts> = {
  entersSegment: (segment) => `In Segment „${segment}“ eingetreten`,
  leavesSegment: (segment) => `Aus Segment „${segment}“ ausgetreten`,
  types: {
    'email.sent': 'E-Mail gesendet',
    'email.delivery': 'E-Mail zugestellt',
    'email.open': 'E-Mail geöffnet',
    'email.click': 'Link angeklickt',
    'email.bounce': 'Bounce',
    'email.complaint': 'Als Spam markiert',
    'email.failed': 'E-Mail fehlgeschlagen',
    'email.received': 'E-Mail empfangen',
    'contact.subscribed': 'Kontakt angemeldet',
    'contact.confirmed': 'Abonnement bestätigt',
    'contact.unsubscribed': 'Kontakt abgemeldet',
    'campaign.scheduled': 'Kampagne geplant',
    'campaign.sent': 'Kampagne gestartet',
    'workflow.started': 'Workflow gestartet',
    'workflow.completed': 'Workflow abgeschlossen',
    'workflow.failed': 'Workflow fehlgeschlagen',
  },
}

export const eventLabels: Translation<typeof english.eventLabels> = {
  scheduled: 'Geplant',
  queued: 'Angenommen',
  'copy-refused': 'Kopie abgelehnt',
  'copy-deferred': 'Kopie verzögert',
  'copy-report': 'Bericht über eine Kopie',
  'contact.confirmed': 'Bestätigt',
  'contact.unsubscribed': 'Abgemeldet',
  'contact.subscribed': 'Angemeldet',
  'email.sent': 'Gesendet',
  'email.delivery': 'Zugestellt',
  'email.open': 'Geöffnet',
  'email.click': 'Geklickt',
  'email.bounce': 'Bounce',
  'email.complaint': 'Als Spam markiert',
  'email.failed': 'Fehlgeschlagen',
  'email.received': 'Empfangen',
}

export const topic: Translation<typeof english.topicTexts> = {
  label: 'Thema',
  none: 'Kein Thema',
  hint: 'Nur Kontakte, die das Thema abonniert haben, erhalten die E-Mail.',
}
