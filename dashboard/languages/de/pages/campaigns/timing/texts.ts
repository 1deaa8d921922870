/** German texts about the time at which each recipient gets a campaign, and about its waves. */

import { formatCount, formatDay, formatMinutes, formatNumber, pickPlural } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/campaigns/timing/texts.ts'
import type { Translation } from '../../../../translation.ts'

const recipients = (count: number) => formatCount(count, { one: 'Empfänger', other: 'Empfänger' })

export const timing: Translation<typeof english.timingTexts> = {
  describe: ({ localTime, spreadMinutes, bestHour }) => {
    if (bestHour) return 'Jeder Empfänger erhält die E-Mail in der Stunde, in der er die meisten E-Mails öffnet.'
    const spread = spreadMinutes ? `über ${formatMinutes(spreadMinutes)} verteilt` : ''
    if (!localTime) return `Die E-Mails werden ${spread}.`
    const at = `Jeder Empfänger erhält die E-Mail am ${formatDay(localTime.date)} um ${localTime.time} Uhr in seiner Zeitzone`
    return `${at}${spread && `, ${spread}`}. Ohne bekannte Zeitzone gilt ${localTime.fallback}.`
  },
  mode: 'Sendezeitpunkt',
  modes: {
    together: 'Für alle zum selben Zeitpunkt',
    localTime: 'Uhrzeit in der Zeitzone jedes Empfängers',
    spread: 'Über mehrere Stunden verteilt',
    bestHour: 'Beste Stunde jedes Empfängers',
  },
  hints: {
    together: 'Alle E-Mails werden nach dem Start so bald wie möglich gesendet.',
    localTime:
      'Alle erhalten die E-Mail zur selben Uhrzeit, egal, wo sie leben. Die Zeitzone steht im Feld „timezone“ der Kontakte.',
    spread: 'Die E-Mails werden gleichmäßig gesendet, damit Ihre Website oder Ihr Support nicht überlastet wird.',
    bestHour:
      'Innerhalb eines Tages nach dem Start, in der Stunde, in der der Empfänger in den letzten 180 Tagen die meisten E-Mails geöffnet hat. Empfänger mit weniger als fünf Öffnungen erhalten sie beim Start.',
  },
  localAt: 'Datum und Uhrzeit vor Ort',
  fallback: 'Zeitzone, falls unbekannt',
  spread: 'Verteilt über',
  noSpread: 'Nicht verteilt',
  startsAt:
    'Der Versand beginnt am <time/> Ihrer Zeit, wenn die ersten Zeitzonen diese Uhrzeit erreichen. Dann steht die Zielgruppe fest.',
  startsNow:
    'Der Versand beginnt jetzt, weil die ersten Zeitzonen diese Uhrzeit schon erreicht haben. In Zeitzonen, in denen sie vorbei ist, erhalten Empfänger die E-Mail sofort.',
  withExperiment: 'Alle Empfänger erhalten diese Kampagne gleichzeitig, weil sie ein Experiment hat.',
  quietHours: (from, to, timezone) =>
    `Ruhezeiten: Von ${from} bis ${to} Uhr (${timezone}) werden keine Marketing-E-Mails gesendet.`,
  waves: {
    title: 'Sendezeiten',
    summary: (sent, total) => `Bisher an ${formatNumber(sent)} von ${formatNumber(total)} Empfängern gesendet.`,
    next: (count) =>
      pickPlural(count, {
        one: 'Der nächste Empfänger erhält sie am <time/>.',
        other: `Die nächsten ${formatNumber(count)} Empfänger erhalten sie am <time/>.`,
      }),
    numbers: 'Zahlen anzeigen',
    time: 'Zeit',
    recipients: 'Empfänger',
    sent: 'Gesendet',
    interval: (at, count, sent) => `${at}: ${recipients(count)}, ${formatNumber(sent)} gesendet`,
    legend: { sent: 'Gesendet', waiting: 'Wartet' },
    zone: (zone) => `Alle Zeiten in Ihrer Zeitzone, ${zone}.`,
  },
}
