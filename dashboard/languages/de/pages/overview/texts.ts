/** German texts of the overview page. */

import { formatCount, formatNumber, formatPercent, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/overview/texts.ts'
import type { Translation } from '../../../translation.ts'

const THRESHOLDS = { warning: 'die Warnschwelle', critical: 'die kritische Schwelle' }

export const overview: Translation<typeof english.texts> = {
  title: 'Übersicht',
  lead: (project) => `Neueste Aktivitäten in ${project}.`,
  leadNew: 'Richten Sie Ihr Projekt ein und senden Sie Ihre erste E-Mail.',
  contacts: 'Kontakte',
  sent: 'Gesendet (30 Tage)',
  openRate: 'Öffnungsrate',
  bounceRate: 'Bounce-Rate',
  running: {
    campaigns: 'Aktuelle Kampagnen',
    progress: (sent, total) => `${formatNumber(sent)} von ${formatNumber(total)} gesendet`,
    starts: 'Startet <time/>',
    workflows: 'Aktivierte Workflows',
    trigger: (event) => (event ? `Startet bei „${event}“` : 'Wird manuell gestartet'),
    executions: (active, completed) =>
      `${formatNumber(active)} laufend · ${formatNumber(completed)} in den letzten 7 Tagen abgeschlossen`,
    allWorkflows: (count) => `Alle ${formatNumber(count)} Workflows ansehen`,
  },
  alerts: {
    disabled: 'Der Versand ist deaktiviert.',
    highRate: ({ kind, count, sent, rate, period, level, threshold }) => {
      const emails = formatCount(sent, { one: 'E-Mail', other: 'E-Mails' })
      const verb =
        kind === 'bounces'
          ? pickPlural(count, { one: 'war', other: 'waren' })
          : pickPlural(count, { one: 'wurde', other: 'wurden' })
      const when = period === 'sevenDay' ? 'in den letzten 7 Tagen' : 'seit dem Anlegen des Projekts'
      const outcome = kind === 'bounces' ? 'unzustellbar' : 'als Spam gemeldet'
      return `${formatNumber(count)} von ${emails} (${formatPercent(rate, 2)}) ${verb} ${when} ${outcome}. Damit ist ${THRESHOLDS[level]} von ${formatPercent(threshold, 2)} erreicht.`
    },
    viewReputation: 'Reputation ansehen',
    domainPending: (domain) => `${domain} ist noch nicht verifiziert. Sie können daher nicht von dieser Domain senden.`,
    domainFailed: (domain) =>
      `Die DNS-Einträge für ${domain} wurden nicht gefunden. Sie können daher nicht von dieser Domain senden.`,
    viewDomain: 'DNS-Einträge ansehen',
    campaignHeld: (name, reason) => `„${name}“ kann nicht gesendet werden. Grund: ${reason}`,
    viewCampaign: 'Kampagne ansehen',
    endpointFailing: (url) => `Anfragen an den Webhook-Endpunkt ${url} schlagen fehl.`,
    endpointDisabled: (url) =>
      `Posthorn hat den Webhook-Endpunkt ${url} deaktiviert, weil seine Anfragen fehlgeschlagen sind. Er erhält keine Ereignisse.`,
    viewEndpoint: 'Endpunkt ansehen',
    failedStep: (name, webhook) =>
      webhook ? (name ? `Der Webhook „${name}“` : 'Ein Webhook') : name ? `Der Schritt „${name}“` : 'Ein Schritt',
    stepFailed: (step, workflow, count, error) =>
      `${step} in „${workflow}“ ist in den letzten 24 Stunden für ${formatCount(count, { one: 'Kontakt', other: 'Kontakte' })} fehlgeschlagen.${error ? ` Letzter Fehler: ${error}` : ''}`,
    viewFailures: 'Fehler ansehen',
  },
  chart: {
    title: 'E-Mails der letzten 30 Tage',
    lead: 'Versand, Zustellungen, Öffnungen, Klicks und Bounces zählen an dem Tag, an dem sie stattfinden (UTC).',
    leadRates:
      'Die Raten jedes Tages (UTC), ohne heute. Öffnungen, Klicks und Bounces zählen an dem Tag, an dem sie stattfinden.',
    label: 'E-Mails pro Tag',
    view: 'Ansicht',
    views: { counts: 'Anzahl', rates: 'Raten' },
    sent: 'Gesendet',
    delivered: 'Zugestellt',
    opened: 'Geöffnet',
    clicked: 'Geklickt',
    bounced: 'Bounces',
  },
  recent: {
    title: 'Neueste E-Mails',
    viewAll: 'Alle E-Mails ansehen',
    emptyTitle: 'Noch keine E-Mails',
    empty:
      'Hier erscheinen E-Mails, die Sie senden, mit ihrem Status. Senden Sie die erste über die API oder mit einer Vorlage.',
    email: 'E-Mail',
    status: 'Status',
    date: 'Datum',
  },
  checklist: {
    title: 'Erste Schritte',
    titleNew: (project) => `Willkommen bei ${project}`,
    lead: (done, total) => `${formatNumber(done)} von ${formatNumber(total)} Schritten abgeschlossen.`,
    verifyDomain: 'Domain verifizieren',
    addDomain: 'Domain hinzufügen',
    addContact: 'Kontakt hinzufügen',
    createTemplate: 'Vorlage erstellen',
    sendEmail: 'E-Mail senden',
    sendCampaign: 'Kampagne senden',
    enableWorkflow: 'Workflow aktivieren',
    done: '(abgeschlossen)',
    open: '(nicht abgeschlossen)',
    sendTest: 'Test-E-Mail an mich senden',
    sendTestLead: (address, captured) =>
      captured
        ? `Sendet eine E-Mail an ${address}. Im Testmodus bleibt sie hier und wird nicht gesendet.`
        : `Sendet eine E-Mail von Ihrem Projekt an ${address}.`,
    needsDomain:
      'Fügen Sie die Domain hinzu, von der Sie senden, und tragen Sie ihre Einträge in Ihr DNS ein, um nachzuweisen, dass sie Ihnen gehört. Danach können Sie Ihre erste E-Mail von hier oder aus Ihrem Code senden.',
    testSubject: 'Hallo von Posthorn',
    testBody: '<h1>Es funktioniert</h1><p>Diese E-Mail wurde von Ihrem Projekt gesendet.</p>',
    waiting: 'Warten auf Ihre erste E-Mail …',
    arrived: 'Ihre erste E-Mail wurde gesendet:',
    orFromCode: 'Oder senden Sie eine E-Mail aus Ihrem Code',
  },
  examples: {
    label: 'Beispielanfragen',
    example: (name) => `Beispiel für ${name}`,
    secretAbove:
      'Ersetzen Sie sk_… durch Ihren geheimen Schlüssel, der auf <suffix/> endet. Wenn Sie ihn nicht mehr haben, ersetzen Sie die Schlüssel oben.',
    secretHidden:
      'Ersetzen Sie sk_… durch Ihren geheimen Schlüssel, der auf <suffix/> endet. Neue Schlüssel können Sie in den <link>Einstellungen</link> erstellen.',
  },
}
