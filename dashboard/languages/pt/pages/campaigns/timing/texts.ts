/** Portuguese texts about the time at which each recipient gets a campaign, and about its waves. */
import { formatCount, formatDay, formatMinutes, formatNumber, pickPlural } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/campaigns/timing/texts.ts'
import type { Translation } from '../../../../translation.ts'

const recipients = (count: number) => formatCount(count, { one: 'destinatário', other: 'destinatários' })

interface Timing {
  localTime: { date: string; time: string; fallback: string } | null
  spreadMinutes: number | null
  bestHour: boolean
}

function describeTiming({ localTime, spreadMinutes, bestHour }: Timing): string {
  if (bestHour) return 'Cada destinatário recebe o e-mail na hora em que mais abre e-mails.'
  const spread = spreadMinutes ? `ao longo de ${formatMinutes(spreadMinutes)}` : ''
  if (!localTime) return `Os e-mails são distribuídos ${spread}.`
  const at = `Cada destinatário recebe o e-mail em ${formatDay(localTime.date)}, às ${localTime.time} no próprio fuso horário`
  return `${at}${spread && `, com envio distribuído ${spread}`}. Sem fuso horário conhecido, vale ${localTime.fallback}.`
}

export const timing: Translation<typeof english.timingTexts> = {
  describe: describeTiming,
  mode: 'Horário de envio',
  modes: {
    together: 'O mesmo horário para todos',
    localTime: 'Um horário no fuso de cada destinatário',
    spread: 'Distribuído ao longo de várias horas',
    bestHour: 'A melhor hora de cada destinatário',
  },
  hints: {
    together: 'Todos os e-mails são enviados o mais rápido possível após o início.',
    localTime:
      'Todos recebem o e-mail na mesma hora do dia, onde quer que morem. O fuso horário está no campo “timezone” dos contatos.',
    spread: 'Os e-mails são enviados de forma uniforme, para não sobrecarregar seu site ou sua equipe de suporte.',
    bestHour:
      'Até um dia após o início, na hora em que o destinatário abriu mais e-mails nos últimos 180 dias. Destinatários com menos de cinco aberturas o recebem no início.',
  },
  localAt: 'Data e hora locais',
  fallback: 'Fuso horário, se desconhecido',
  spread: 'Distribuir ao longo de',
  noSpread: 'Não distribuir',
  startsAt:
    'O envio começa em <time/> no seu horário, quando os primeiros fusos horários chegam a esta hora. O público é fixado nesse momento.',
  startsNow:
    'O envio começa agora, porque os primeiros fusos horários já chegaram a esta hora. Nos fusos em que ela já passou, os destinatários recebem o e-mail imediatamente.',
  withExperiment: 'Todos os destinatários recebem esta campanha ao mesmo tempo, porque ela tem um experimento.',
  quietHours: (from: string, to: string, timezone: string) =>
    `Horário de silêncio: das ${from} às ${to} (${timezone}), os e-mails de marketing esperam.`,
  waves: {
    title: 'Horários de envio',
    summary: (sent: number, total: number) => `Enviado para ${formatNumber(sent)} de ${recipients(total)} até agora.`,
    next: (count: number) =>
      `${pickPlural(count, { one: 'O próximo destinatário o recebe', other: `Os próximos ${formatNumber(count)} destinatários o recebem` })} em <time/>.`,
    numbers: 'Mostrar os números',
    time: 'Hora',
    recipients: 'Destinatários',
    sent: 'Enviados',
    interval: (at: string, count: number, sent: number) =>
      `${at}: ${recipients(count)}, ${formatCount(sent, { one: 'enviado', other: 'enviados' })}`,
    legend: { sent: 'Enviados', waiting: 'Em espera' },
    zone: (zone: string) => `Os horários estão no seu fuso horário, ${zone}.`,
  },
}
