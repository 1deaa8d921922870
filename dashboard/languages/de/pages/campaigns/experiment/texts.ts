/** German texts of experiments: set-up in the campaign editor, and results on the page of the campaign. */

import { formatCount, formatList, formatMinutes, formatNumber, formatPercent } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/campaigns/experiment/texts.ts'
import type { Translation } from '../../../../translation.ts'

const METRICS = { opens: 'Öffnungsrate', clicks: 'Klickrate', conversions: 'Conversion-Rate' }

const share = (percent: number) => formatPercent(percent / 100, 0)

/** "1 Empfänger", "310 Empfänger". */
const recipients = (count: number) => formatCount(count, { one: 'Empfänger', other: 'Empfänger' })

/** "der andere Empfänger", "die anderen 800 Empfänger". */
const theOthers = (count: number) => (count === 1 ? 'der andere Empfänger' : `die anderen ${recipients(count)}`)

export const experiment: Translation<typeof english.experimentTexts> = {
  title: 'Experiment (A/B-Test)',
  setup: {
    lead: 'Senden Sie Varianten an einen Teil der Zielgruppe und die beste davon an den Rest.',
    empty:
      'Finden Sie heraus, welcher Betreff, Absender oder Inhalt am besten ankommt, bevor die meisten die E-Mail erhalten. Ein kleiner Teil der Zielgruppe erhält zufällig eine der Varianten; nach einigen Stunden erhalten alle anderen den Gewinner. Sie brauchen mindestens 200 Empfänger.',
    add: 'Experiment hinzufügen',
    remove: 'Experiment entfernen',
    timed:
      'Diese Kampagne ist mit einem eigenen Zeitpunkt für jeden Empfänger geplant. Das lässt sich nicht mit einem Experiment kombinieren. Ändern Sie zuerst den Sendezeitpunkt.',
    parts: 'Was sich unterscheidet',
    partLabels: { subject: 'Betreff', sender: 'Absender', preheader: 'Preheader', content: 'Inhalt' },
    noParts: 'Wählen Sie mindestens eines aus. Um zu erfahren, was den Unterschied macht, wählen Sie nur eines.',
    onePart: 'Um zu erfahren, was den Unterschied macht, testen Sie immer nur eines.',
    variant: (name) => `Variante ${name}`,
    name: 'Name',
    removeVariant: (name) => `Variante ${name} entfernen`,
    addVariant: 'Variante hinzufügen',
    mostVariants: (count) => `Ein Experiment hat höchstens ${count} Varianten.`,
    asCampaign: 'Leer: wie in der Kampagne',
    subject: 'Betreff',
    from: 'Absender',
    fromName: 'Absendername',
    preheader: 'Preheader',
    contentBelow:
      'Jede Variante kann einen eigenen Inhalt haben. Mit den Schaltflächen über dem Inhalt wählen Sie, welchen Sie bearbeiten.',
    same: (first, second) =>
      `${first} und ${second} sind bisher gleich. Ändern Sie etwas an einer der Varianten, sonst hat der Test kein Ergebnis.`,
    share: 'Anteil der Zielgruppe im Test',
    shareValue: share,
    split: (variants, each, rest) =>
      `${formatNumber(variants)} Varianten an je etwa ${recipients(each)}, der Gewinner an die anderen ${formatNumber(rest)}.`,
    splitUnknown: (variants, part) =>
      `${formatNumber(variants)} Varianten an ${share(part)} der Zielgruppe, der Gewinner an die anderen ${share(100 - part)}.`,
    rest: 'Gewinner',
    tooSmall: (test, most, needed) =>
      needed === undefined
        ? `Der Test hätte ${recipients(test)}, braucht aber mindestens ${most}. Wählen Sie eine Zielgruppe mit mindestens ${most * 2} Kontakten.`
        : `Der Test hätte ${recipients(test)}, braucht aber mindestens ${most}. Erhöhen Sie den Anteil auf mindestens ${share(needed)}.`,
    metric: 'Der Gewinner hat die meisten',
    metrics: {
      opens: {
        title: 'Öffnungen',
        hint: 'Für Betreff, Absender und Preheader. Öffnungen durch Maschinen zählen nicht.',
      },
      clicks: { title: 'Klicks', hint: 'Für Inhalte. Klicks durch Link-Scanner zählen nicht.' },
      conversions: { title: 'Conversions', hint: 'Ein Ereignis, zum Beispiel ein Kauf, das auf einen Klick folgt.' },
    },
    conversionEvent: 'Ereignis, das als Conversion zählt',
    wait: 'Testdauer',
    waitHint:
      'Von 15 Minuten bis 7 Tage, ab dem Start gezählt. Die meisten öffnen eine E-Mail innerhalb weniger Stunden.',
    unit: 'Einheit',
    units: { minute: 'Minuten', hour: 'Stunden', day: 'Tage' },
    selection: 'Wer den Gewinner wählt',
    selections: {
      automatic: {
        title: 'Posthorn, am Ende des Tests',
        hint: 'Der Rest der Zielgruppe erhält den Gewinner, ohne dass Sie etwas tun müssen.',
      },
      manual: {
        title: 'Sie selbst',
        hint: 'Der Rest der Zielgruppe wartet, bis Sie auf der Seite der Kampagne wählen.',
      },
    },
  },
  content: {
    label: 'Inhalt von',
    campaign: 'Kampagne',
    as: (name) => `Variante ${name} hat den Inhalt der Kampagne.`,
    own: (name) => `Anderen Inhalt für ${name} schreiben`,
    ownHint: 'Er beginnt als Kopie des Inhalts der Kampagne.',
    reset: 'Inhalt der Kampagne verwenden',
    wasReset: (name) => `Variante ${name} hat wieder den Inhalt der Kampagne.`,
  },
  results: {
    summary: (part, metric, waitMinutes, selection) => {
      const test = `${share(part)} der Zielgruppe erhalten eine Variante. Testdauer: ${formatMinutes(waitMinutes)}.`
      return selection === 'automatic'
        ? `${test} Danach geht die Variante mit der höchsten ${METRICS[metric]} an den Rest.`
        : `${test} Danach wählen Sie, welche Variante an den Rest geht.`
    },
    none: 'Finden Sie heraus, welcher Betreff, Absender oder Inhalt am besten ankommt: Varianten gehen an einen Teil der Zielgruppe, und die beste davon an den Rest.',
    add: 'Experiment einrichten',
    change: 'Experiment ändern',
    badge: 'A/B-Test',
    statuses: {
      draft: 'Nicht gestartet',
      testing: 'Test läuft',
      deciding: 'Wartet auf Gewinner',
      sending: 'Gewinner wird gesendet',
      done: 'Abgeschlossen',
    },
    testing: 'Der Test läuft bis zum <time/>.',
    next: {
      automatic: (metric, rest) =>
        `Danach geht die Variante mit der höchsten ${METRICS[metric]} an ${rest === 1 ? 'den anderen Empfänger' : `die anderen ${recipients(rest)}`}. Sie können auch jetzt schon eine wählen.`,
      manual: (rest) =>
        rest === 1
          ? 'Der andere Empfänger wartet, bis Sie eine Variante wählen. Das können Sie jederzeit tun.'
          : `Die anderen ${recipients(rest)} warten, bis Sie eine Variante wählen. Das können Sie jederzeit tun.`,
    },
    over: (rest) =>
      `Der Test ist beendet. Wählen Sie die Variante, die ${theOthers(rest)} ${rest === 1 ? 'erhält' : 'erhalten'}.`,
    deciding: 'Der Test ist beendet. Der Gewinner wird gewählt, sobald alle seine E-Mails gesendet sind.',
    decided: {
      system: (name) => `${name} wurde automatisch gewählt (<time/>).`,
      user: (name, who) => `${name} wurde von ${who} gewählt (<time/>).`,
      key: (name, who) => `${name} wurde mit dem API-Schlüssel „${who}“ gewählt (<time/>).`,
    },
    canceled:
      'Die Kampagne wurde abgebrochen, bevor ein Gewinner gewählt wurde. Der Rest der Zielgruppe hat nichts erhalten.',
    conclusion: {
      none: 'Es gibt noch keine Ergebnisse.',
      ahead: (name, probability) =>
        `${name} liegt vorn: mit einer Wahrscheinlichkeit von ${formatPercent(probability, 0)} die beste Variante.`,
      equal: (names) => `${formatList(names)} liegen bisher gleichauf.`,
      close: (name, needed) =>
        needed === null
          ? `${name} liegt vorn, aber so knapp, dass selbst eine Million weitere Empfänger nicht genügen würden.`
          : `${name} liegt vorn, aber zu knapp für ein sicheres Ergebnis. Dafür wären noch ${recipients(needed)} nötig.`,
      won: (name) => `${name} hat gewonnen.`,
      chosen: (name) =>
        `${name} wurde gewählt, aber der Unterschied zwischen den Varianten ist zu klein für ein sicheres Ergebnis.`,
    },
    inconclusive:
      'Für ein klareres Ergebnis testen Sie beim nächsten Mal Varianten, die sich stärker unterscheiden, oder einen größeren Teil der Zielgruppe.',
    table: 'Ergebnisse nach Variante',
    column: {
      variant: 'Variante',
      sent: 'Gesendet',
      opens: 'Geöffnet',
      clicks: 'Geklickt',
      conversions: 'Conversions',
      best: 'Wahrscheinlich die beste',
      bestShort: 'Beste',
    },
    differs: 'Unterschied',
    asCampaign: 'Wie in der Kampagne',
    ownContent: 'Eigener Inhalt',
    from: (from) => `Von ${from}`,
    preheader: (preheader) => `Preheader: ${preheader}`,
    winner: 'Gewinner',
    bestHint:
      'Wie wahrscheinlich diese Variante nach den bisherigen Zahlen die höchste Rate hat. Ein Gewinner über 80\u00a0% gilt als klar.',
    choose: 'An den Rest senden',
    chooseNamed: (name) => `An den Rest senden: ${name}`,
    chooseTitle: (name) => `${name} an den Rest der Zielgruppe senden?`,
    chooseEffect: (rest) =>
      rest === 1
        ? 'Damit endet der Test. 1 Empfänger erhält jetzt diese Variante, sofern er sich nicht inzwischen abgemeldet hat. Das lässt sich nicht rückgängig machen.'
        : `Damit endet der Test. ${recipients(rest)} erhalten jetzt diese Variante, sofern sie sich nicht inzwischen abgemeldet haben. Das lässt sich nicht rückgängig machen.`,
    chosen: (name) => `${name} wird an den Rest der Zielgruppe gesendet.`,
    preview: 'Variante',
  },
}
