/** German texts of the campaign pages: list, campaign, editor and sending. */

import { formatCount, formatDuration, formatList, formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/campaigns/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

const emails = (count: number) => formatCount(count, { one: 'E-Mail', other: 'E-Mails' })

/** "2,5 Prozentpunkte über dem Durchschnitt", after "liegt". */
function againstAverage(difference: number): string {
  const value = Math.round(Math.abs(difference) * 1000) / 10
  if (value === 0) return 'im Durchschnitt'
  const points = formatCount(value, { one: 'Prozentpunkt', other: 'Prozentpunkte' })
  return `${points} ${difference > 0 ? 'über' : 'unter'} dem Durchschnitt`
}

/** After a number of contacts. */
const REASONS = {
  notSubscribed: 'ohne Abonnement',
  pendingConfirmation: 'mit ausstehender Bestätigung',
  paused: 'mit pausierten Marketing-E-Mails',
  topic: 'ohne dieses Thema',
  suppressed: 'mit gesperrter Adresse',
  frequencyCap: 'am Häufigkeitslimit',
  sunset: 'ohne Öffnungen und Klicks (Inaktivitätsregel)',
}

const WEEKDAYS = {
  1: 'Montag',
  2: 'Dienstag',
  3: 'Mittwoch',
  4: 'Donnerstag',
  5: 'Freitag',
  6: 'Samstag',
  7: 'Sonntag',
}

const weekdayNames: Record<number, string> = WEEKDAYS

export const campaigns: Translation<typeof english.texts> = {
  title: 'Kampagnen',
  lead: 'Senden Sie eine E-Mail an viele Kontakte, sofort oder zu einem geplanten Zeitpunkt.',
  create: 'Kampagne erstellen',
  column: {
    name: 'Name',
    status: 'Status',
    sent: 'Gesendet',
    openRate: 'Öffnungsrate',
    clickRate: 'Klickrate',
    date: 'Datum',
  },
  progress: (sent, total) => (sent === total ? formatNumber(sent) : `${formatNumber(sent)} von ${formatNumber(total)}`),
  dates: {
    SENT: 'Gesendet <time/>',
    SENDING: 'Gestartet <time/>',
    SCHEDULED: 'Startet <time/>',
    CANCELLED: 'Abgebrochen <time/>',
    DRAFT: 'Bearbeitet <time/>',
  },
  results: (sent, openRate, clickRate) =>
    `${formatNumber(sent)} gesendet · ${openRate} geöffnet · ${clickRate} geklickt`,
  search: 'Kampagnen durchsuchen',
  status: 'Status',
  anyStatus: 'Alle Status',
  sort: 'Sortieren nach',
  sorts: { '': 'Neueste zuerst', updatedAt: 'Zuletzt bearbeitet', name: 'Name' },
  emptyTitle: 'Noch keine Kampagnen',
  empty:
    'Eine Kampagne sendet eine E-Mail an alle Kontakte, an ein Segment oder an Kontakte, die eine Bedingung erfüllen. Öffnungen und Klicks sehen Sie, sobald sie geschehen.',
  noMatchTitle: 'Keine passenden Kampagnen',
  noMatch: 'Versuchen Sie eine andere Suche oder einen anderen Status.',
  one: {
    title: 'Kampagne',
    startsAt: 'Startet am <time/>',
    started: 'Gestartet am <time/>',
    startedAndEnded: 'Gestartet am <start/>, beendet am <end/>',
    updated: 'Zuletzt bearbeitet <time/>',
    notStarted: (reason) => `Die Kampagne wurde zum geplanten Zeitpunkt nicht gestartet. Grund: ${reason}`,
    content: 'Inhalt',
    contentLead: 'Vorschau mit einem Beispielkontakt.',
    contentLeadWithClicks:
      'Vorschau mit einem Beispielkontakt. Jede Markierung zeigt, wie viele Empfänger diesen Link angeklickt haben, und ihren Anteil an den zugestellten E-Mails.',
    canceled: 'Abgebrochen am <time/>',
    preview: 'Vorschau der Kampagne',
    subject: 'Betreff',
    from: 'Absender',
    replyTo: 'Antwortadresse',
    audience: 'Zielgruppe',
    segment: (name) => `Segment „${name}“`,
    audiences: { ALL: 'Alle Kontakte', SEGMENT: 'Ein Segment', FILTERED: 'Kontakte, die eine Bedingung erfüllen' },
  },
  actions: {
    edit: 'Kampagne bearbeiten',
    test: 'Sendet eine E-Mail mit dem zuletzt gespeicherten Inhalt. Test-E-Mails zählen nicht in der Statistik.',
    pause: 'Kampagne pausieren',
    resume: 'Kampagne fortsetzen',
    paused: 'Kampagne pausiert.',
    resumed: 'Kampagne fortgesetzt.',
    cancel: 'Kampagne abbrechen',
    cancelTitle: 'Diese Kampagne abbrechen?',
    keep: 'Kampagne behalten',
    cancelScheduled:
      'Es wurde noch nichts gesendet, und die Kampagne startet nicht. Duplizieren Sie sie, um sie später zu senden.',
    cancelSending: (sent, pending) =>
      `${pickPlural(sent, { one: '1 E-Mail wurde bereits gesendet und kann', other: `${formatNumber(sent)} E-Mails wurden bereits gesendet und können` })} nicht zurückgeholt werden; ${formatNumber(pending)} ${pickPlural(pending, { one: 'wird', other: 'werden' })} nicht mehr gesendet. Duplizieren Sie die Kampagne, um sie noch einmal zu senden.`,
    cancelled: 'Kampagne abgebrochen.',
    duplicated: 'Kampagne als Entwurf dupliziert.',
    followUps: {
      NOT_OPENED: 'Nachfassen: nicht geöffnet',
      OPENED: 'Nachfassen: geöffnet',
      CLICKED: 'Nachfassen: geklickt',
      NOT_CLICKED: 'Nachfassen: nicht geklickt',
    },
    followUpCreated: 'Entwurf erstellt. Seine Zielgruppe ist ein neues Segment mit diesen Empfängern.',
    deleted: 'Kampagne gelöscht.',
    delete: { title: 'Diese Kampagne löschen?', action: 'Kampagne löschen' },
    deleteEffect:
      'Die Kampagne und ihre Statistik werden endgültig gelöscht. Bereits gesendete E-Mails bleiben erhalten. Um eine Kampagne zu löschen, die noch gesendet wird, brechen Sie sie zuerst ab.',
  },
  audience: {
    title: 'Zielgruppe',
    legend: 'Art der Zielgruppe',
    kinds: {
      ALL: { title: 'Alle Kontakte', hint: 'Alle Kontakte, die diese E-Mail erhalten können.' },
      SEGMENT: { title: 'Ein Segment', hint: 'Die Kontakte, die beim Versandstart im Segment sind.' },
      FILTERED: { title: 'Eine Bedingung', hint: 'Kontakte, die die Bedingung unten erfüllen.' },
    },
    segment: 'Segment',
    incomplete: 'Wählen Sie eine Zielgruppe, um zu sehen, wie viele Kontakte sie enthält.',
    counting: 'Kontakte werden gezählt …',
    count: (count) =>
      `<strong>${shared.contacts(count)}</strong> ${pickPlural(count, { one: 'erhält', other: 'erhalten' })} diese Kampagne.`,
    left: (total, reasons) => {
      if (reasons.length === 0) return ''
      const parts = reasons.map(({ reason, count }) => `${formatNumber(count)} ${REASONS[reason]}`)
      const all = formatCount(total, { one: 'Kontakt', other: 'Kontakten' })
      return `Von ${all} in dieser Zielgruppe erhalten sie nicht: ${parts.join(', ')}.`
    },
  },
  editor: {
    createTitle: 'Kampagne erstellen',
    createLead: 'Es wird nichts gesendet, bevor Sie die Kampagne auf der nächsten Seite geprüft haben.',
    save: 'Kampagne speichern',
    saved: 'Kampagne gespeichert.',
    parts: { audience: 'Zielgruppe', utm: 'Link-Parameter', feed: 'Feed', experiment: 'Experiment' },
    scheduled: (zone) =>
      `Diese Kampagne ist für den <time/> (${zone}) geplant. Änderungen, die Sie speichern, werden beim Versand berücksichtigt.`,
    template: 'Mit Vorlage beginnen',
    gallery: 'Design wählen',
    galleryTitle: 'Mit einem Design aus der Galerie beginnen',
    galleryLead: 'Fertige E-Mails im Stil Ihres Projekts. Absender und Zielgruppe bleiben unverändert.',
    templateCopied: (name) => `Inhalt aus „${name}“ kopiert.`,
    typeKept: 'Die Kampagne geht weiterhin nur an Kontakte mit Abonnement. Um das zu ändern, bearbeiten Sie ihren Typ.',
    replaceTitle: 'Inhalt dieser Kampagne ersetzen?',
    replaceEffect: (name) =>
      `Betreff, Inhalt, Absender und Typ dieser Kampagne werden durch die der Vorlage „${name}“ ersetzt. Eine transaktionale Vorlage ändert den Typ nicht. Sie können dies rückgängig machen, bis Sie speichern oder die Seite verlassen.`,
    replace: 'Inhalt ersetzen',
    keepContent: 'Inhalt behalten',
    test: 'Sendet den aktuellen Inhalt mit nicht gespeicherten Änderungen. Test-E-Mails legen keinen Kontakt an und zählen nicht in der Statistik.',
  },
  links: {
    title: 'Links',
    lead: 'UTM-Parameter zeigen Ihrer Webanalyse, dass Besucher aus dieser Kampagne kommen.',
    mode: 'UTM-Parameter',
    project: 'Die des Projekts',
    projectNone: 'Die des Projekts: keine',
    own: 'Nur für diese Kampagne',
    none: 'Keine',
    parts: { source: 'Quelle', medium: 'Medium', campaign: 'Kampagne' },
  },
  feed: {
    title: 'Feed',
    lead: 'Zeigen Sie in der E-Mail Beiträge eines Blogs oder Daten von Ihrem eigenen Server.',
    format: 'Quelle',
    formats: { '': 'Keine', rss: 'RSS- oder Atom-Feed', json: 'JSON' },
    url: 'Adresse',
    hints: {
      rss: 'Die Einträge stehen in der E-Mail als feed.items bereit. Der Feed wird einmal abgerufen, wenn die Kampagne startet.',
      json: 'Die Daten stehen in der E-Mail als feed bereit. Sie werden einmal abgerufen, wenn die Kampagne startet.',
    },
    maxItems: 'Höchstzahl der Einträge',
    check: 'Feed prüfen',
  },
  recurrence: {
    title: 'Wiederholung',
    lead: 'Die Kampagne bleibt ein Entwurf. Jedes Mal wird eine Kopie in ihrem dann aktuellen Stand gesendet.',
    none: 'Senden Sie jeden Tag, jede Woche oder jeden Monat eine Kopie dieses Entwurfs.',
    rule: ({ every, time, timezone, weekdays, day }) => {
      const days = (weekdays ?? []).map((weekday) => weekdayNames[weekday] ?? '')
      const when = { day: 'Jeden Tag', week: `Jeden ${formatList(days)}`, month: `Jeden Monat am ${day}.` }[every]
      return `${when} um ${time} Uhr (${timezone}).`
    },
    next: 'Die nächste Kopie wird am <time/> gesendet.',
    states: { active: '', paused: 'Pausiert.', ended: 'Beendet.' },
    sent: (count) => `Bisher ${formatCount(count, { one: 'Kampagne', other: 'Kampagnen' })} gesendet.`,
    last: 'Zuletzt am <time/>:',
    show: 'Kampagne ansehen',
    history: 'Verlauf',
    historyLead: 'Was jedes Mal geschehen ist, Neuestes zuerst.',
    at: 'Zeit',
    outcome: 'Ergebnis',
    more: 'Mehr anzeigen',
    copyOf: 'Gesendet von einer <link>wiederkehrenden Kampagne</link>',
    badge: 'Wiederkehrend',
    add: 'Wiederholung hinzufügen',
    change: 'Wiederholung ändern',
    save: 'Wiederholung speichern',
    saved: 'Wiederholung gespeichert.',
    pause: 'Wiederholung pausieren',
    paused: 'Wiederholung pausiert.',
    resume: 'Wiederholung fortsetzen',
    resumed: 'Wiederholung fortgesetzt.',
    remove: 'Wiederholung löschen',
    removeTitle: 'Diese Wiederholung löschen?',
    removeEffect:
      'Es werden keine weiteren Kopien gesendet. Der Entwurf und die gesendeten Kampagnen bleiben erhalten.',
    removed: 'Wiederholung gelöscht.',
    every: 'Rhythmus',
    periods: { day: 'Täglich', week: 'Wöchentlich', month: 'Monatlich' },
    weekday: 'Wochentage',
    weekdays: WEEKDAYS,
    day: 'Tag des Monats',
    dayHint: 'In einem kürzeren Monat der letzte Tag.',
    time: 'Uhrzeit',
    timezone: 'Zeitzone',
    startsOn: 'Erstes Datum (optional)',
    endsOn: 'Letztes Datum (optional)',
    count: 'Anzahl der Kampagnen (optional)',
    useTemplate: 'Den dann aktuellen Inhalt der Vorlage verwenden',
  },
  archive: {
    title: 'Öffentliches Archiv',
    lead: 'Eine Webseite und ein Atom-Feed mit den Kampagnen, die Sie veröffentlichen.',
    show: 'Diese Kampagne im öffentlichen Archiv zeigen',
    onceSent: 'Sie erscheint dort, sobald sie gesendet ist.',
    shown: 'Die Kampagne ist öffentlich.',
    hidden: 'Die Kampagne ist nicht mehr öffentlich.',
    openCampaign: 'Diese Kampagne im Archiv öffnen',
    openArchive: 'Archiv öffnen',
    openFeed: 'Atom-Feed',
    off: 'Das Archiv dieses Projekts ist ausgeschaltet. <link>In den Einstellungen einschalten</link>',
    offForMembers:
      'Das Archiv dieses Projekts ist ausgeschaltet. Inhaber und Admins können es in den Einstellungen einschalten.',
  },
  send: {
    open: 'Kampagne senden',
    changeTime: 'Zeitpunkt ändern',
    openScheduled: 'Kampagne senden oder neu planen',
    title: (name) => `„${name}“ senden`,
    when: 'Zeitpunkt',
    times: { now: { title: 'Jetzt' }, later: { title: 'Für später planen' } },
    dateTime: 'Datum und Uhrzeit',
    timeZone: (zone) => `Ihre Zeitzone ist ${zone}.`,
    submitNow: (count) => (count === undefined ? 'Kampagne senden' : `An ${shared.contacts(count)} senden`),
    submitLater: (count) => (count === undefined ? 'Kampagne planen' : `Für ${shared.contacts(count)} planen`),
    scheduled: 'Kampagne geplant.',
    started: 'Kampagne gestartet.',
  },
  live: {
    progress: (done, total) => `${formatNumber(done)} von ${formatNumber(total)} verarbeitet`,
    paused: (done, total) => `Pausiert bei ${formatNumber(done)} von ${formatNumber(total)}`,
    pausedHint: 'Es werden keine weiteren E-Mails gesendet, bis Sie die Kampagne fortsetzen.',
    waiting: {
      warmUp:
        'Die Absenderdomain ist in der Aufwärmphase und hat ihre Marketing-E-Mails für heute gesendet. Der Versand geht am <until/> weiter.',
      quietHours: 'Zurzeit gelten die Ruhezeiten des Projekts. Der Versand geht am <until/> weiter.',
    },
    nextWave: 'Die fälligen E-Mails sind gesendet. Der Versand geht am <until/> weiter.',
    winner: 'Der Test des Experiments ist gesendet. Der Rest wartet auf den Gewinner.',
    rate: (perSecond) =>
      perSecond === undefined ? 'Tempo wird gemessen …' : `${emails(Math.round(perSecond))} pro Sekunde`,
    timeLeft: (seconds) => {
      if (seconds === undefined) return 'Restzeit wird geschätzt …'
      return seconds < 60 ? 'Noch weniger als eine Minute' : `Noch etwa ${formatDuration(seconds)}`
    },
  },
  recipients: {
    title: 'Empfänger',
    column: { email: 'E-Mail', status: 'Status', opens: 'Öffnungen', clicks: 'Klicks', sent: 'Gesendet' },
    empty: 'Keine Empfänger mit diesem Status.',
    total: (count) => formatCount(count, { one: 'Empfänger', other: 'Empfänger' }),
    retry: (count) =>
      `${formatCount(count, { one: 'fehlgeschlagene E-Mail', other: 'fehlgeschlagene E-Mails' })} erneut senden`,
    retried: (count) => `${emails(count)} ${pickPlural(count, { one: 'wird', other: 'werden' })} erneut gesendet.`,
  },
  report: {
    byHour: 'Öffnungen und Klicks pro Stunde',
    byDay: 'Öffnungen und Klicks pro Tag',
    engagementLead: (since) =>
      `Seit dem Versandstart am ${since}. Jeder Empfänger zählt einmal, bei seiner ersten Öffnung und seinem ersten Klick.`,
    opened: 'Geöffnet',
    clicked: 'Geklickt',
    time: 'Zeit',
    interval: (at, opened, clicked) => `${at}: ${formatNumber(opened)} geöffnet, ${formatNumber(clicked)} geklickt`,
    links: 'Links',
    linksLead:
      'Empfänger, die den jeweiligen Link angeklickt haben, wie bei der Klickrate als Anteil an den zugestellten E-Mails. Ein Empfänger kann mehrere anklicken.',
    link: 'Link',
    clicks: 'Klicks',
    bounces: 'Bounces',
    bouncesLead: 'Gruppiert nach Empfängerdomain und Antwort des empfangenden Servers.',
    domain: 'Domain',
    count: 'E-Mails',
    noReason: 'Kein Grund angegeben',
    bounceRate: 'Bounce-Rate',
    thisCampaign: 'Diese Kampagne',
    comparison: (count) =>
      `Vergleich mit ${formatCount(count, { one: 'früheren Kampagne', other: 'früheren Kampagnen' })} im selben Alter`,
    comparisonLead: (age, opens, clicks) =>
      `Jeweils ${age} nach dem Versandstart. Die Öffnungsrate liegt ${againstAverage(opens)}, die Klickrate ${againstAverage(clicks)}.`,
  },
  stats: {
    label: 'Statistik',
    sent: 'Gesendet',
    delivered: 'Zugestellt',
    opened: 'Geöffnet',
    clicked: 'Geklickt',
    bounced: 'Bounces',
    unsubscribed: 'Abmeldungen',
    complained: 'Spam-Beschwerden',
    conversions: (count, share, revenue) =>
      `${formatCount(count, { one: 'Conversion', other: 'Conversions' })}, ${share} der zugestellten E-Mails${revenue && `, im Wert von ${revenue}`}`,
    skipped: {
      frequencyCap: (count) =>
        `${formatCount(count, { one: 'E-Mail wurde', other: 'E-Mails wurden' })} wegen des Häufigkeitslimits übersprungen`,
      sunset: (count) =>
        `${formatCount(count, { one: 'E-Mail wurde', other: 'E-Mails wurden' })} wegen der Inaktivitätsregel übersprungen`,
    },
  },
}
