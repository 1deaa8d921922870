/** French texts about the time at which each recipient gets a campaign, and about its waves. */

import { formatCount, formatDay, formatMinutes, formatNumber } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/campaigns/timing/texts.ts'
import type { Translation } from '../../../../translation.ts'

/** "1 destinataire", "310 destinataires". */
const recipients = (count: number) => formatCount(count, { one: 'destinataire', other: 'destinataires' })

const sent = (count: number) => formatCount(count, { one: 'envoyé', other: 'envoyés' })

export const timing: Translation<typeof english.timingTexts> = {
  describe: ({ localTime, spreadMinutes, bestHour }) => {
    if (bestHour) return 'Chaque destinataire reçoit l’e-mail à l’heure où il en ouvre le plus.'
    const spread = spreadMinutes ? `sur ${formatMinutes(spreadMinutes)}` : ''
    if (!localTime) return `L’envoi des e-mails est étalé ${spread}.`
    const at = `Chaque destinataire reçoit l’e-mail le ${formatDay(localTime.date)} à ${localTime.time} dans son fuseau horaire`
    return `${at}${spread && `, avec un envoi étalé ${spread}`}. Si son fuseau horaire est inconnu, c’est ${localTime.fallback}.`
  },
  mode: 'Heure d’envoi',
  modes: {
    together: 'La même heure pour tous',
    localTime: 'Une heure dans le fuseau de chaque destinataire',
    spread: 'Étalé sur plusieurs heures',
    bestHour: 'La meilleure heure de chaque destinataire',
  },
  hints: {
    together: 'Tous les e-mails sont envoyés dès que possible après le début.',
    localTime:
      'Chacun reçoit l’e-mail à la même heure de la journée, où qu’il vive. Le fuseau horaire se trouve dans le champ « timezone » des contacts.',
    spread: 'Les e-mails sont envoyés régulièrement, afin de ne pas submerger votre site web ni votre support.',
    bestHour:
      'Dans la journée qui suit le début, à l’heure où le destinataire a ouvert le plus d’e-mails au cours des 180 derniers jours. Les destinataires ayant moins de cinq ouvertures le reçoivent au début.',
  },
  localAt: 'Date et heure locales',
  fallback: 'Fuseau horaire si inconnu',
  spread: 'Étaler sur',
  noSpread: 'Sans étalement',
  startsAt:
    'L’envoi commence le <time/> (votre heure), quand les premiers fuseaux horaires atteignent cette heure. L’audience est alors figée.',
  startsNow:
    'L’envoi commence maintenant, car les premiers fuseaux horaires ont atteint cette heure. Là où elle est passée, les destinataires reçoivent l’e-mail tout de suite.',
  withExperiment: 'Tous les destinataires reçoivent cette campagne en même temps, car elle comporte une expérience.',
  quietHours: (from, to, timezone) =>
    `Heures calmes : de ${from} à ${to} (${timezone}), les e-mails marketing attendent.`,
  waves: {
    title: 'Heures d’envoi',
    summary: (sentCount, total) => `${sent(sentCount)} sur ${recipients(total)} jusqu’à présent.`,
    next: (count) =>
      `${
        count === 1
          ? 'Le prochain destinataire le reçoit'
          : `Les ${formatNumber(count)} prochains destinataires le reçoivent`
      } le <time/>.`,
    numbers: 'Afficher les chiffres',
    time: 'Heure',
    recipients: 'Destinataires',
    sent: 'Envoyés',
    interval: (at, count, sentCount) => `${at} : ${recipients(count)}, ${sent(sentCount)}`,
    legend: { sent: 'Envoyés', waiting: 'En attente' },
    zone: (zone) => `Les heures sont dans votre fuseau horaire, ${zone}.`,
  },
}
