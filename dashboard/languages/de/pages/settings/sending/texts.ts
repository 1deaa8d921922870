/** German texts of the settings about marketing email. */

import { formatCount } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/settings/sending/texts.ts'
import type { Translation } from '../../../../translation.ts'

export const sending: Translation<typeof english.sendingTexts> = {
  sending: {
    on: (title) => `${title} verwenden`,
    save: 'Speichern',
    saved: (title) => `${title} gespeichert.`,
    sunset: {
      counting: 'Kontakte werden gezählt …',
      stops: (count) =>
        count === 0
          ? 'Diese Regel würde derzeit bei keinem Kontakt Marketing-E-Mails stoppen.'
          : `Diese Regel würde derzeit Marketing-E-Mails bei <strong>${formatCount(count, { one: 'Kontakt', other: 'Kontakten' })}</strong> stoppen.`,
      tooLong:
        'Das Zählen der Kontakte, die diese Regel betreffen würde, dauert zu lange. Jeder wird trotzdem vor dem Senden einer E-Mail beurteilt.',
      advice: 'Fragen Sie sie vor dem Einschalten mit der Vorlage <link>Do you want to stay?</link>',
    },
    settings: {
      quietHours: {
        title: 'Ruhezeiten',
        lead: 'Marketing-E-Mails warten, bis diese Zeiten vorbei sind, Transaktions-E-Mails nicht.',
        fields: { from: 'Von', to: 'Bis', timezone: 'Zeitzone' },
      },
      frequencyCap: {
        title: 'Häufigkeitslimit',
        lead: 'Ein Kontakt erhält nicht mehr Marketing-E-Mails als hier angegeben. Weitere werden übersprungen, und die Kampagne zeigt, wie viele.',
        fields: { emails: 'E-Mails', days: 'Tage' },
      },
      sunset: {
        title: 'Inaktivitätsregel',
        lead: 'Kontakte, die nichts öffnen und nichts anklicken, erhalten keine Marketing-E-Mails mehr. Ihr Abonnement bleibt bestehen. Das endet, wenn sie eine frühere E-Mail öffnen oder anklicken oder wenn Sie die Regel ausschalten.',
        fields: { emails: 'E-Mails ohne Öffnung oder Klick', days: 'Innerhalb so vieler Tage' },
      },
      sendGuard: {
        title: 'Versandschutz',
        lead: 'Pausiert eine Kampagne, wenn bei ihr zu viele Bounces oder Spam-Beschwerden auftreten, und benachrichtigt Inhaber und Admins.',
        fields: {
          bounceRate: 'Bounces in Prozent',
          complaintRate: 'Spam-Beschwerden in Prozent',
          minimum: 'E-Mails vor der Beurteilung',
        },
      },
      softBounces: {
        title: 'Limit für Soft Bounces',
        lead: 'Sperrt eine Adresse nach mehreren temporären Fehlern in Folge, zum Beispiel bei einem Postfach, das voll bleibt.',
        fields: { count: 'Bounces in Folge', days: 'Über mindestens so viele Tage' },
      },
      utm: {
        title: 'UTM-Parameter',
        lead: 'Werden an Links in Marketing-E-Mails angehängt, die noch keine haben. So zeigt Ihre Webanalyse, woher Besucher kommen. Sie können Variablen wie {{ campaign.name }} verwenden.',
        fields: { source: 'Quelle', medium: 'Medium', campaign: 'Kampagne' },
      },
      conversion: {
        title: 'Conversion-Tracking',
        lead: 'Ein Ereignis, das Sie erfassen, zum Beispiel ein Kauf, zählt für die E-Mail, die der Kontakt zuletzt angeklickt hat. „value“ und „currency“ in seinen Daten werden als Umsatz summiert.',
        fields: { event: 'Ereignis', days: 'Tage nach dem Klick' },
      },
      archive: {
        title: 'Öffentliches Archiv',
        lead: 'Eine öffentliche Seite mit den Kampagnen, die Sie veröffentlichen, und ein Atom-Feed davon.',
        fields: { slug: 'Name in der Adresse', title: 'Titel' },
      },
    },
  },
}
