/** German texts of the domains page. */

import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/domains/texts.ts'
import type { Translation } from '../../../translation.ts'

/** How records are named in labels. */
const recordNames: Record<string, string> = { dkim: 'DKIM', ed25519: 'DKIM (Ed25519)', spf: 'SPF', dmarc: 'DMARC' }

const recordName = (purpose: string) => recordNames[purpose] ?? purpose

export const domains: Translation<typeof english.texts> = {
  title: 'Domains',
  lead: 'Sie können nur von Domains senden, die Sie verifiziert haben.',
  add: 'Domain hinzufügen',
  emptyTitle: 'Noch keine Domains',
  empty:
    'Fügen Sie die Domain hinzu, von der Sie senden möchten. Posthorn zeigt Ihnen dann, welche DNS-Einträge Sie anlegen müssen, und prüft sie automatisch.',
  statuses: { VERIFIED: 'Verifiziert', PENDING: 'Ausstehend', FAILED: 'Fehlgeschlagen' },
  lastChecked: (found, records) =>
    `${formatNumber(found)} von ${formatCount(records, { one: 'DNS-Eintrag', other: 'DNS-Einträgen' })} gefunden, geprüft <time/>`,
  neverChecked: 'Noch nicht geprüft',
  captured:
    'Eine Domain wird daher ohne DNS-Prüfung verifiziert: automatisch innerhalb weniger Minuten oder sofort, wenn Sie „Einträge prüfen“ wählen. Legen Sie die DNS-Einträge an, bevor Sie echte E-Mails senden.',
  check: 'Einträge prüfen',
  verified: (domain) => `${domain} ist verifiziert.`,
  notVerified:
    'Einige Einträge wurden nicht gefunden. Es kann eine Weile dauern, bis DNS-Änderungen wirksam sind. Prüfen Sie später noch einmal.',
  actionsOf: (domain) => `Aktionen für ${domain}`,
  remove: 'Domain entfernen',
  removeTitle: (domain) => `${domain} entfernen?`,
  removeEffect:
    'Sie können dann nicht mehr von dieser Domain senden, und E-Mails, die darauf warten, von ihr gesendet zu werden, schlagen fehl. Ihr DKIM-Schlüssel wird gelöscht. Wenn Sie die Domain wieder hinzufügen, brauchen Sie daher neue DNS-Einträge.',
  removed: 'Domain entfernt.',
  records: {
    label: (domain) => `DNS-Einträge für ${domain}`,
    column: { type: 'Typ', record: 'Eintrag', name: 'Name', value: 'Wert', status: 'Status' },
    notChecked: (count, isVerified) =>
      `${formatCount(count, { one: 'DNS-Eintrag', other: 'DNS-Einträge' })}, im Testmodus ${isVerified ? 'ohne DNS verifiziert' : 'nicht geprüft'}`,
    show: 'Einträge anzeigen',
    hide: 'Einträge ausblenden',
    found: 'Gefunden',
    notFound: 'Nicht gefunden',
    copyName: (purpose) => `Name des Eintrags ${recordName(purpose)} kopieren`,
    copyValue: (purpose) => `Wert des Eintrags ${recordName(purpose)} kopieren`,
    priority: (priority) => `Priorität ${formatNumber(priority)}`,
    purposes: {
      ownership: 'Weist nach, dass Ihnen die Domain gehört',
      dkim: 'Signiert Ihre E-Mails',
      ed25519: 'Signiert Ihre E-Mails zusätzlich mit einem Ed25519-Schlüssel',
      spf: 'Erlaubt Posthorn, für die Domain zu senden',
      dmarc: 'Sagt empfangenden Servern, wie sie mit gefälschten E-Mails umgehen sollen',
      'return-path': 'Empfängt Bounces',
    },
  },
  ed25519: {
    add: 'Ed25519-Schlüssel hinzufügen',
    addTitle: (domain) => `Ed25519-Schlüssel zu ${domain} hinzufügen?`,
    addEffect:
      'E-Mails werden dann zweimal signiert: mit dem RSA-Schlüssel, den jeder Server prüfen kann, und mit einem Ed25519-Schlüssel, den manche bevorzugen. Legen Sie den DNS-Eintrag an, der danach angezeigt wird. Die zweite Signatur kommt hinzu, sobald der Eintrag gefunden wird.',
    added: 'Ed25519-Schlüssel hinzugefügt. Legen Sie seinen DNS-Eintrag an.',
    remove: 'Ed25519-Schlüssel entfernen',
    removeTitle: (domain) => `Ed25519-Schlüssel von ${domain} entfernen?`,
    removeEffect:
      'E-Mails werden nur noch mit dem RSA-Schlüssel signiert. Behalten Sie den DNS-Eintrag noch eine Woche, damit Server E-Mails prüfen können, die unterwegs sind. Wenn Sie wieder einen Schlüssel hinzufügen, braucht er einen neuen DNS-Eintrag.',
    removed: 'Ed25519-Schlüssel entfernt.',
  },
  warmUp: {
    set: 'Aufwärmphase einrichten',
    change: 'Aufwärmphase ändern',
    title: (domain) => `Aufwärmphase von ${domain}`,
    label: (domain) => `Aufwärmphase von ${domain}`,
    explanation:
      'Postfachanbieter misstrauen einer neuen Domain, die viel auf einmal sendet. Eine Aufwärmphase begrenzt ihre Marketing-E-Mails auf eine Anzahl, die jeden Tag wächst; der Rest wartet auf den nächsten Tag. Transaktions-E-Mails werden nie zurückgehalten.',
    progress: (sent, limit) =>
      `Aufwärmphase: heute ${formatNumber(sent)} von ${formatCount(limit, { one: 'Marketing-E-Mail', other: 'Marketing-E-Mails' })} gesendet`,
    startsOn: (day) => `Die Aufwärmphase beginnt am ${day}, bis dahin wird nichts zurückgehalten.`,
    lead: 'Marketing-E-Mails über die Anzahl des Tages hinaus warten auf den nächsten Tag. Er beginnt um Mitternacht UTC.',
    full: 'Die Anzahl für heute ist erreicht. Marketing-E-Mails werden ab Mitternacht UTC weiter gesendet.',
    plan: 'Marketing-E-Mails an den kommenden Tagen',
    utc: 'Tage beginnen um Mitternacht UTC. Kampagnen werden automatisch fortgesetzt.',
    startedOn: 'Erster Tag',
    perDay: 'E-Mails am ersten Tag',
    growth: 'Wachstumsfaktor pro Tag',
    save: 'Aufwärmphase speichern',
    saved: 'Aufwärmphase gespeichert.',
    end: 'Aufwärmphase beenden',
    ended: 'Aufwärmphase beendet. Wartende E-Mails werden gesendet.',
  },
  addDialog: {
    title: 'Domain hinzufügen',
    lead: 'Der Teil nach dem @-Zeichen in Ihren Absenderadressen.',
    domain: 'Domain',
    placeholder: 'example.com',
    added: 'Domain hinzugefügt.',
  },
}
