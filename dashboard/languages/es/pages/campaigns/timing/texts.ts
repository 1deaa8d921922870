/** Spanish texts about the time at which each recipient gets a campaign, and about its waves. */
import { formatCount, formatDay, formatMinutes, formatNumber, pickPlural } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/campaigns/timing/texts.ts'
import type { Translation } from '../../../../translation.ts'

/** "1 destinatario", "310 destinatarios". */
const recipients = (count: number) => formatCount(count, { one: 'destinatario', other: 'destinatarios' })

export const timing: Translation<typeof english.timingTexts> = {
  describe: ({ localTime, spreadMinutes, bestHour }) => {
    if (bestHour) return 'Cada destinatario recibe el correo a la hora a la que más correos abre.'
    const spread = spreadMinutes ? `a lo largo de ${formatMinutes(spreadMinutes)}` : ''
    if (!localTime) return `Los correos se reparten ${spread}.`
    const at = `Cada destinatario recibe el correo el ${formatDay(localTime.date)} a las ${localTime.time} en su zona horaria`
    return `${at}${spread && `, con los envíos repartidos ${spread}`}. Si no se conoce su zona horaria, se usa ${localTime.fallback}.`
  },
  mode: 'Hora de envío',
  modes: {
    together: 'La misma hora para todos',
    localTime: 'Una hora en la zona horaria de cada destinatario',
    spread: 'Repartido en varias horas',
    bestHour: 'La mejor hora de cada destinatario',
  },
  hints: {
    together: 'Todos los correos se envían lo antes posible después del inicio.',
    localTime:
      'Todo el mundo recibe el correo a la misma hora del día, viva donde viva. La zona horaria está en el campo «timezone» de los contactos.',
    spread: 'Los correos se envían de manera uniforme, para no saturar tu sitio web ni tu equipo de soporte.',
    bestHour:
      'En el día siguiente al inicio, a la hora a la que el destinatario abrió más correos en los últimos 180 días. Los destinatarios con menos de cinco aperturas lo reciben al inicio.',
  },
  localAt: 'Fecha y hora local',
  fallback: 'Zona horaria si no se conoce',
  spread: 'Repartir en',
  noSpread: 'Sin repartir',
  startsAt:
    'El envío empieza el <time/> de tu hora, cuando las primeras zonas horarias llegan a esta hora. La audiencia queda fijada entonces.',
  startsNow:
    'El envío empieza ahora, porque las primeras zonas horarias ya han llegado a esta hora. En las zonas donde ya ha pasado, los destinatarios reciben el correo al instante.',
  withExperiment: 'Todos los destinatarios reciben esta campaña a la misma hora, porque tiene un experimento.',
  quietHours: (from, to, timezone) =>
    `Horas de silencio: de ${from} a ${to} (${timezone}) esperan los correos de marketing.`,
  waves: {
    title: 'Horas de envío',
    summary: (sent, total) => `${formatNumber(sent)} de ${recipients(total)} hasta ahora.`,
    next: (count) =>
      pickPlural(count, {
        one: 'El siguiente destinatario lo recibe el <time/>.',
        other: `Los ${formatNumber(count)} destinatarios siguientes lo reciben el <time/>.`,
      }),
    numbers: 'Mostrar las cifras',
    time: 'Hora',
    recipients: 'Destinatarios',
    sent: 'Enviados',
    interval: (at, count, sent) =>
      `${at}: ${recipients(count)}, ${formatCount(sent, { one: 'enviado', other: 'enviados' })}`,
    legend: { sent: 'Enviados', waiting: 'En espera' },
    zone: (zone) => `Las horas están en tu zona horaria, ${zone}.`,
  },
}
