/** Spanish texts of the campaign pages: list, campaign, editor and sending. */
import { formatCount, formatDuration, formatList, formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/campaigns/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

/** "2,5 puntos por encima de la media", "en la media". */
function againstAverage(difference: number): string {
  const value = Math.round(Math.abs(difference) * 1000) / 10
  if (value === 0) return 'en la media'
  return `${formatCount(value, { one: 'punto', other: 'puntos' })} por ${difference > 0 ? 'encima' : 'debajo'} de la media`
}

/** After a number, which may be one. */
const REASONS = {
  notSubscribed: 'sin suscripción',
  pendingConfirmation: 'con la confirmación pendiente',
  paused: 'con el marketing en pausa',
  topic: 'sin suscripción a este tema',
  suppressed: 'con la dirección suprimida',
  frequencyCap: 'con el límite de frecuencia alcanzado',
  sunset: 'sin aperturas ni clics (regla de inactividad)',
}

const WEEKDAYS = {
  1: 'Lunes',
  2: 'Martes',
  3: 'Miércoles',
  4: 'Jueves',
  5: 'Viernes',
  6: 'Sábado',
  7: 'Domingo',
}

const weekdayName = (weekday: number) => WEEKDAYS[weekday as keyof typeof WEEKDAYS].toLowerCase()

export const campaigns: Translation<typeof english.texts> = {
  title: 'Campañas',
  lead: 'Envía un correo a muchos contactos, de inmediato o a una hora programada.',
  create: 'Crear campaña',
  column: {
    name: 'Nombre',
    status: 'Estado',
    sent: 'Enviados',
    openRate: 'Aperturas',
    clickRate: 'Clics',
    date: 'Fecha',
  },
  progress: (sent, total) => (sent === total ? formatNumber(sent) : `${formatNumber(sent)} de ${formatNumber(total)}`),
  dates: {
    SENT: 'Enviada: <time/>',
    SENDING: 'Iniciada: <time/>',
    SCHEDULED: 'Inicio: <time/>',
    CANCELLED: 'Cancelada: <time/>',
    DRAFT: 'Editada: <time/>',
  },
  results: (sent, openRate, clickRate) =>
    `${formatCount(sent, { one: 'enviado', other: 'enviados' })} · ${openRate} abiertos · ${clickRate} con clic`,
  search: 'Buscar campañas',
  status: 'Estado',
  anyStatus: 'Cualquier estado',
  sort: 'Ordenar por',
  sorts: { '': 'Más recientes', updatedAt: 'Editadas recientemente', name: 'Nombre' },
  emptyTitle: 'Aún no hay campañas',
  empty:
    'Una campaña envía un correo a todos los contactos, a un segmento o a los contactos que cumplen una condición. Sigue las aperturas y los clics en cuanto ocurren.',
  noMatchTitle: 'Ninguna campaña coincide',
  noMatch: 'Prueba con otra búsqueda u otro estado.',
  one: {
    title: 'Campaña',
    startsAt: 'Empieza el <time/>',
    started: 'Empezó el <time/>',
    startedAndEnded: 'Empezó el <start/> y terminó el <end/>',
    updated: 'Última edición: <time/>',
    notStarted: (reason) => `La campaña no empezó a la hora programada. Motivo: ${reason}`,
    content: 'Contenido',
    contentLead: 'Vista previa con un contacto de muestra.',
    contentLeadWithClicks:
      'Vista previa con un contacto de muestra. Cada insignia muestra cuántos destinatarios hicieron clic en ese enlace y su porcentaje de los correos entregados.',
    canceled: 'Cancelada el <time/>',
    preview: 'Vista previa de la campaña',
    subject: 'Asunto',
    from: 'Remitente',
    replyTo: 'Responder a',
    audience: 'Audiencia',
    segment: (name) => `Segmento «${name}»`,
    audiences: {
      ALL: 'Todos los contactos',
      SEGMENT: 'Un segmento',
      FILTERED: 'Contactos que cumplen una condición',
    },
  },
  actions: {
    edit: 'Editar campaña',
    test: 'Envía un correo con el último contenido guardado. Los correos de prueba no cuentan en las estadísticas.',
    pause: 'Pausar campaña',
    resume: 'Reanudar campaña',
    paused: 'Campaña pausada.',
    resumed: 'Campaña reanudada.',
    cancel: 'Cancelar campaña',
    cancelTitle: '¿Cancelar esta campaña?',
    keep: 'Mantener campaña',
    cancelScheduled: 'Aún no se ha enviado nada y la campaña no empezará. Duplícala para enviarla más adelante.',
    cancelSending: (sent, pending) =>
      `${formatCount(sent, { one: 'correo ya se envió y no se puede recuperar', other: 'correos ya se enviaron y no se pueden recuperar' })}; ${formatCount(pending, { one: 'correo no se enviará', other: 'correos no se enviarán' })}. Duplica la campaña para volver a enviarla.`,
    cancelled: 'Campaña cancelada.',
    duplicated: 'Campaña duplicada como borrador.',
    followUps: {
      NOT_OPENED: 'Hacer seguimiento a quienes no abrieron',
      OPENED: 'Hacer seguimiento a quienes abrieron',
      CLICKED: 'Hacer seguimiento a quienes hicieron clic',
      NOT_CLICKED: 'Hacer seguimiento a quienes no hicieron clic',
    },
    followUpCreated: 'Borrador creado. Su audiencia es un segmento nuevo con estos destinatarios.',
    deleted: 'Campaña eliminada.',
    delete: { title: '¿Eliminar esta campaña?', action: 'Eliminar campaña' },
    deleteEffect:
      'La campaña y sus estadísticas se eliminan de forma permanente. Los correos ya enviados se conservan. Para eliminar una campaña que aún se está enviando, cancélala primero.',
  },
  audience: {
    title: 'Audiencia',
    legend: 'Tipo de audiencia',
    kinds: {
      ALL: { title: 'Todos los contactos', hint: 'Todos los contactos que pueden recibir este correo.' },
      SEGMENT: { title: 'Un segmento', hint: 'Los contactos que estén en el segmento cuando empiece el envío.' },
      FILTERED: { title: 'Una condición', hint: 'Los contactos que cumplen la condición que defines abajo.' },
    },
    segment: 'Segmento',
    incomplete: 'Elige una audiencia para ver cuántos contactos incluye.',
    counting: 'Contando contactos…',
    count: (count) =>
      `<strong>${shared.contacts(count)}</strong> ${pickPlural(count, { one: 'recibirá', other: 'recibirán' })} esta campaña.`,
    left: (total, reasons) => {
      if (reasons.length === 0) return ''
      const parts = reasons.map(({ reason, count }) => `${formatNumber(count)} ${REASONS[reason]}`)
      return `De ${shared.contacts(total)} en esta audiencia, estos no la recibirán: ${parts.join(', ')}.`
    },
  },
  editor: {
    createTitle: 'Crear campaña',
    createLead: 'No se envía nada hasta que revises la campaña en la página siguiente.',
    save: 'Guardar campaña',
    saved: 'Campaña guardada.',
    parts: { audience: 'Audiencia', utm: 'Parámetros de enlaces', feed: 'Feed', experiment: 'Experimento' },
    scheduled: (zone) =>
      `Esta campaña está programada para el <time/> (${zone}). Los cambios que guardes se incluyen en el envío.`,
    template: 'Partir de una plantilla',
    gallery: 'Elegir un diseño',
    galleryTitle: 'Partir de un diseño de la galería',
    galleryLead: 'Correos ya preparados con el aspecto de tu proyecto. Tu remitente y tu audiencia no cambian.',
    templateCopied: (name) => `Contenido copiado de «${name}».`,
    typeKept: 'La campaña se sigue enviando solo a contactos suscritos. Para cambiarlo, edita su tipo.',
    replaceTitle: '¿Reemplazar el contenido de esta campaña?',
    replaceEffect: (name) =>
      `El asunto, el cuerpo, el remitente y el tipo de esta campaña se reemplazan por los de la plantilla «${name}». Una plantilla transaccional no cambia el tipo. Puedes deshacerlo hasta que guardes o salgas de la página.`,
    replace: 'Reemplazar contenido',
    keepContent: 'Mantener contenido',
    test: 'Envía el contenido actual, incluidos los cambios sin guardar. Los correos de prueba no crean contactos ni cuentan en las estadísticas.',
  },
  links: {
    title: 'Enlaces',
    lead: 'Los parámetros UTM indican a tu analítica web que las visitas vienen de esta campaña.',
    mode: 'Parámetros UTM',
    project: 'Los del proyecto',
    projectNone: 'Los del proyecto: ninguno',
    own: 'Solo para esta campaña',
    none: 'Ninguno',
    parts: { source: 'Fuente', medium: 'Medio', campaign: 'Campaña' },
  },
  feed: {
    title: 'Feed',
    lead: 'Muestra en el correo las entradas de un blog o datos de tu propio servidor.',
    format: 'Fuente',
    formats: { '': 'Ninguna', rss: 'Feed RSS o Atom', json: 'JSON' },
    url: 'Dirección',
    hints: {
      rss: 'El correo tiene sus elementos en feed.items. Se consulta una vez, cuando empieza la campaña.',
      json: 'El correo tiene los datos en feed. Se consulta una vez, cuando empieza la campaña.',
    },
    maxItems: 'Máximo de elementos',
    check: 'Comprobar feed',
  },
  recurrence: {
    title: 'Repetición',
    lead: 'La campaña sigue siendo un borrador. Cada vez se envía una copia de ella, tal como esté en ese momento.',
    none: 'Envía una copia de este borrador cada día, semana o mes.',
    rule: ({ every, time, timezone, weekdays, day }) => {
      const when = {
        day: 'Cada día',
        week: `Cada ${formatList((weekdays ?? []).map(weekdayName))}`,
        month: `El día ${day} de cada mes`,
      }[every]
      return `${when} a las ${time} (${timezone}).`
    },
    next: 'La próxima copia se envía el <time/>.',
    states: { active: '', paused: 'En pausa.', ended: 'Terminada.' },
    sent: (count) => `${formatCount(count, { one: 'campaña enviada', other: 'campañas enviadas' })} hasta ahora.`,
    last: 'La última vez, <time/>:',
    show: 'Mostrar campaña',
    history: 'Historial',
    historyLead: 'Lo que ocurrió cada vez, primero lo más reciente.',
    at: 'Hora',
    outcome: 'Resultado',
    more: 'Mostrar más',
    copyOf: 'Enviada por una <link>campaña periódica</link>',
    badge: 'Periódica',
    add: 'Añadir repetición',
    change: 'Cambiar repetición',
    save: 'Guardar repetición',
    saved: 'Repetición guardada.',
    pause: 'Pausar repetición',
    paused: 'Repetición pausada.',
    resume: 'Reanudar repetición',
    resumed: 'Repetición reanudada.',
    remove: 'Eliminar repetición',
    removeTitle: '¿Eliminar esta repetición?',
    removeEffect: 'No se envían más copias. El borrador y las campañas que se enviaron se conservan.',
    removed: 'Repetición eliminada.',
    every: 'Cada',
    periods: { day: 'Día', week: 'Semana', month: 'Mes' },
    weekday: 'Los días',
    weekdays: WEEKDAYS,
    day: 'Día del mes',
    dayHint: 'En un mes más corto, es el último día.',
    time: 'Hora',
    timezone: 'Zona horaria',
    startsOn: 'Primera fecha (opcional)',
    endsOn: 'Última fecha (opcional)',
    count: 'Número de campañas (opcional)',
    useTemplate: 'Usar el contenido que tenga la plantilla en ese momento',
  },
  archive: {
    title: 'Archivo público',
    lead: 'Una página web, y un feed Atom, con las campañas que haces públicas.',
    show: 'Mostrar esta campaña en el archivo público',
    onceSent: 'Aparece allí cuando se envía.',
    shown: 'La campaña es pública.',
    hidden: 'La campaña ya no es pública.',
    openCampaign: 'Abrir esta campaña en el archivo',
    openArchive: 'Abrir archivo',
    openFeed: 'Feed Atom',
    off: 'El archivo de este proyecto está desactivado. <link>Actívalo en los ajustes</link>',
    offForMembers:
      'El archivo de este proyecto está desactivado. Los propietarios y administradores pueden activarlo en los ajustes.',
  },
  send: {
    open: 'Enviar campaña',
    changeTime: 'Cambiar hora',
    openScheduled: 'Enviar o reprogramar campaña',
    title: (name) => `Enviar «${name}»`,
    when: 'Cuándo',
    times: { now: { title: 'Ahora' }, later: { title: 'Programar para más tarde' } },
    dateTime: 'Fecha y hora',
    timeZone: (zone) => `Tu zona horaria es ${zone}.`,
    submitNow: (count) => (count === undefined ? 'Enviar campaña' : `Enviar a ${shared.contacts(count)}`),
    submitLater: (count) => (count === undefined ? 'Programar campaña' : `Programar para ${shared.contacts(count)}`),
    scheduled: 'Campaña programada.',
    started: 'Campaña iniciada.',
  },
  live: {
    progress: (done, total) => `${formatNumber(done)} de ${formatNumber(total)} procesados`,
    paused: (done, total) => `En pausa en ${formatNumber(done)} de ${formatNumber(total)}`,
    pausedHint: 'No se envían más correos hasta que reanudes la campaña.',
    waiting: {
      warmUp:
        'El dominio del remitente está en calentamiento y ya envió sus correos de marketing de hoy. El envío continúa el <until/>.',
      quietHours: 'Ahora son las horas de silencio del proyecto. El envío continúa el <until/>.',
    },
    nextWave: 'Los correos previstos hasta ahora ya se enviaron. El envío continúa el <until/>.',
    winner: 'La prueba del experimento ya se envió. El resto espera a la variante ganadora.',
    rate: (perSecond) =>
      perSecond === undefined
        ? 'Midiendo la velocidad…'
        : `${formatCount(Math.round(perSecond), { one: 'correo', other: 'correos' })} por segundo`,
    timeLeft: (seconds) => {
      if (seconds === undefined) return 'Estimando el tiempo restante…'
      return seconds < 60 ? 'Falta menos de un minuto' : `Tiempo restante aproximado: ${formatDuration(seconds)}`
    },
  },
  recipients: {
    title: 'Destinatarios',
    column: { email: 'Correo', status: 'Estado', opens: 'Aperturas', clicks: 'Clics', sent: 'Enviado' },
    empty: 'Ningún destinatario tiene este estado.',
    total: (count) => formatCount(count, { one: 'destinatario', other: 'destinatarios' }),
    retry: (count) => `Reintentar ${formatCount(count, { one: 'correo fallido', other: 'correos fallidos' })}`,
    retried: (count) => `${formatCount(count, { one: 'correo', other: 'correos' })} de nuevo en cola.`,
  },
  report: {
    byHour: 'Aperturas y clics por hora',
    byDay: 'Aperturas y clics por día',
    engagementLead: (since) =>
      `Desde que empezó el envío el ${since}. Cada destinatario se cuenta una vez, en su primera apertura y en su primer clic.`,
    opened: 'Aperturas',
    clicked: 'Clics',
    time: 'Hora',
    interval: (at, opened, clicked) =>
      `${at}: ${formatCount(opened, { one: 'apertura', other: 'aperturas' })}, ${formatCount(clicked, { one: 'clic', other: 'clics' })}`,
    links: 'Enlaces',
    linksLead:
      'Destinatarios que hicieron clic en cada enlace, como porcentaje de los correos entregados, igual que la tasa de clics. Un destinatario puede hacer clic en varios.',
    link: 'Enlace',
    clicks: 'Clics',
    bounces: 'Rebotes',
    bouncesLead: 'Agrupados por dominio del destinatario y por la respuesta del servidor receptor.',
    domain: 'Dominio',
    count: 'Correos',
    noReason: 'Sin motivo indicado',
    bounceRate: 'Tasa de rebote',
    thisCampaign: 'Esta campaña',
    comparison: (count) =>
      `En comparación con ${formatCount(count, { one: 'campaña anterior', other: 'campañas anteriores' })} en el mismo momento`,
    comparisonLead: (age, opens, clicks) =>
      `Cada una se mide ${age} después de empezar su envío. La tasa de apertura está ${againstAverage(opens)}, y la tasa de clics está ${againstAverage(clicks)}.`,
  },
  stats: {
    label: 'Estadísticas',
    sent: 'Enviados',
    delivered: 'Entregados',
    opened: 'Abiertos',
    clicked: 'Con clic',
    bounced: 'Rebotados',
    unsubscribed: 'Bajas',
    complained: 'Quejas de spam',
    conversions: (count, share, revenue) =>
      `${formatCount(count, { one: 'conversión', other: 'conversiones' })}, ${share} de los correos entregados${revenue && `, por valor de ${revenue}`}`,
    skipped: {
      frequencyCap: (count) =>
        `${formatCount(count, { one: 'correo se omitió', other: 'correos se omitieron' })} por el límite de frecuencia`,
      sunset: (count) =>
        `${formatCount(count, { one: 'correo se omitió', other: 'correos se omitieron' })} por la regla de inactividad`,
    },
  },
}
