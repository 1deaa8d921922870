/** Spanish texts of the overview page. */
import { formatCount, formatNumber, formatPercent, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/overview/texts.ts'
import type { Translation } from '../../../translation.ts'

export const overview: Translation<typeof english.texts> = {
  title: 'Resumen',
  lead: (project) => `Actividad reciente en ${project}.`,
  leadNew: 'Configura tu proyecto y envía tu primer correo.',
  contacts: 'Contactos',
  sent: 'Enviados (30 días)',
  openRate: 'Tasa de apertura',
  bounceRate: 'Tasa de rebote',
  running: {
    campaigns: 'Campañas actuales',
    progress: (sent, total) => `${formatNumber(sent)} de ${formatNumber(total)} enviados`,
    starts: 'Inicio: <time/>',
    workflows: 'Flujos activados',
    trigger: (event) => (event ? `Se inicia con «${event}»` : 'Se inicia manualmente'),
    executions: (active, completed) =>
      `${formatNumber(active)} en curso · ${formatCount(completed, { one: 'completada', other: 'completadas' })} en los últimos 7 días`,
    allWorkflows: (count) => `Ver los ${formatNumber(count)} flujos`,
  },
  alerts: {
    disabled: 'El envío está desactivado.',
    highRate: ({ kind, count, sent, rate, period, level, threshold }) => {
      const outcome =
        kind === 'bounces'
          ? pickPlural(count, { one: 'rebotó', other: 'rebotaron' })
          : pickPlural(count, { one: 'se marcó como spam', other: 'se marcaron como spam' })
      const when = period === 'sevenDay' ? 'en los últimos 7 días' : 'desde que se creó el proyecto'
      const limit = `el umbral ${level === 'critical' ? 'crítico' : 'de advertencia'} del ${formatPercent(threshold, 2)}`
      return `${formatNumber(count)} de ${formatCount(sent, { one: 'correo', other: 'correos' })} (${formatPercent(rate, 2)}) ${outcome} ${when}, con lo que se alcanza ${limit}.`
    },
    viewReputation: 'Ver reputación',
    domainPending: (domain) => `${domain} aún no está verificado, así que no puedes enviar desde él.`,
    domainFailed: (domain) =>
      `No se encontraron los registros DNS de ${domain}, así que no puedes enviar desde este dominio.`,
    viewDomain: 'Ver registros DNS',
    campaignHeld: (name, reason) => `«${name}» no se puede enviar. Motivo: ${reason}`,
    viewCampaign: 'Ver campaña',
    endpointFailing: (url) => `Las solicitudes al endpoint de webhook ${url} están fallando.`,
    endpointDisabled: (url) =>
      `Posthorn desactivó el endpoint de webhook ${url} porque sus solicitudes fallaban. Ya no recibe eventos.`,
    viewEndpoint: 'Ver endpoint',
    failedStep: (name, webhook) =>
      webhook ? (name ? `El webhook «${name}»` : 'Un webhook') : name ? `El paso «${name}»` : 'Un paso',
    stepFailed: (step, workflow, count, error) =>
      `${step} de «${workflow}» falló para ${formatCount(count, { one: 'contacto', other: 'contactos' })} en las últimas 24 horas.${error ? ` Último error: ${error}` : ''}`,
    viewFailures: 'Ver fallos',
  },
  chart: {
    title: 'Correos de los últimos 30 días',
    lead: 'Los envíos, entregas, aperturas, clics y rebotes se cuentan el día en que ocurren (UTC).',
    leadRates:
      'Las tasas de cada día (UTC), sin incluir hoy. Las aperturas, los clics y los rebotes se cuentan el día en que ocurren.',
    label: 'Correos por día',
    view: 'Vista',
    views: { counts: 'Cantidades', rates: 'Tasas' },
    sent: 'Enviados',
    delivered: 'Entregados',
    opened: 'Abiertos',
    clicked: 'Con clic',
    bounced: 'Rebotados',
  },
  recent: {
    title: 'Correos recientes',
    viewAll: 'Ver todos los correos',
    emptyTitle: 'Aún no hay correos',
    empty:
      'Los correos que envías aparecen aquí con su estado. Envía el primero a través de la API o desde una plantilla.',
    email: 'Correo',
    status: 'Estado',
    date: 'Fecha',
  },
  checklist: {
    title: 'Primeros pasos',
    titleNew: (project) => `Te damos la bienvenida a ${project}`,
    lead: (done, total) => `${formatNumber(done)} de ${formatNumber(total)} pasos completados.`,
    verifyDomain: 'Verificar un dominio',
    addDomain: 'Añadir tu dominio',
    addContact: 'Añadir un contacto',
    createTemplate: 'Crear una plantilla',
    sendEmail: 'Enviar un correo',
    sendCampaign: 'Enviar una campaña',
    enableWorkflow: 'Activar un flujo',
    done: '(completado)',
    open: '(sin completar)',
    sendTest: 'Enviarme un correo de prueba',
    sendTestLead: (address, captured) =>
      captured
        ? `Envía un correo a ${address}. En modo de prueba, se guarda aquí y no se envía.`
        : `Envía un correo desde tu proyecto a ${address}.`,
    needsDomain:
      'Añade el dominio desde el que envías y, después, añade sus registros a tu DNS para demostrar que es tuyo. A continuación, podrás enviar tu primer correo desde aquí o desde tu código.',
    testSubject: 'Saludos desde Posthorn',
    testBody: '<h1>Funciona</h1><p>Este correo lo envió tu proyecto.</p>',
    waiting: 'Esperando tu primer correo…',
    arrived: 'Se envió tu primer correo:',
    orFromCode: 'O envía un correo desde tu código',
  },
  examples: {
    label: 'Ejemplos de solicitudes',
    example: (name) => `Ejemplo de ${name}`,
    secretAbove:
      'Reemplaza sk_… por tu clave secreta, que termina en <suffix/>. Si ya no la tienes, reemplaza las claves de arriba.',
    secretHidden:
      'Reemplaza sk_… por tu clave secreta, que termina en <suffix/>. Puedes crear claves nuevas en los <link>ajustes</link>.',
  },
}
