/** Spanish texts of the domains page. */
import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/domains/texts.ts'
import type { Translation } from '../../../translation.ts'

/** How records are named in labels. */
const recordNames: Record<string, string> = { dkim: 'DKIM', ed25519: 'DKIM (Ed25519)', spf: 'SPF', dmarc: 'DMARC' }

const recordName = (purpose: string) => recordNames[purpose] ?? purpose

const dnsRecords = (count: number) => formatCount(count, { one: 'registro DNS', other: 'registros DNS' })

export const domains: Translation<typeof english.texts> = {
  title: 'Dominios',
  lead: 'Solo puedes enviar desde los dominios que has verificado.',
  add: 'Añadir dominio',
  emptyTitle: 'Aún no hay dominios',
  empty:
    'Añade el dominio desde el que quieres enviar. Posthorn te mostrará los registros DNS que debes crear y los comprobará automáticamente.',
  statuses: { VERIFIED: 'Verificado', PENDING: 'Pendiente', FAILED: 'Fallido' },
  lastChecked: (found, records) =>
    `${formatNumber(found)} de ${dnsRecords(records)} encontrados, última comprobación: <time/>`,
  neverChecked: 'Aún sin comprobar',
  captured:
    'Por eso, un dominio se verifica sin consultar el DNS: automáticamente en unos minutos o al instante cuando eliges «Comprobar registros». Crea los registros DNS antes de enviar correos reales.',
  check: 'Comprobar registros',
  verified: (domain) => `${domain} está verificado.`,
  notVerified:
    'No se encontraron algunos registros. Los cambios de DNS pueden tardar en surtir efecto. Vuelve a comprobarlo más tarde.',
  actionsOf: (domain) => `Acciones para ${domain}`,
  remove: 'Quitar dominio',
  removeTitle: (domain) => `¿Quitar ${domain}?`,
  removeEffect:
    'No podrás enviar desde este dominio, y los correos que esperan a enviarse desde él fallarán. Su clave DKIM se eliminará, así que necesitarás registros DNS nuevos si vuelves a añadir el dominio.',
  removed: 'Dominio quitado.',
  records: {
    label: (domain) => `Registros DNS de ${domain}`,
    column: { type: 'Tipo', record: 'Registro', name: 'Nombre', value: 'Valor', status: 'Estado' },
    notChecked: (count, isVerified) =>
      `${dnsRecords(count)}, ${isVerified ? 'dominio verificado sin DNS' : 'sin comprobar'} en modo de prueba`,
    show: 'Mostrar registros',
    hide: 'Ocultar registros',
    found: 'Encontrado',
    notFound: 'No encontrado',
    copyName: (purpose) => `Copiar el nombre del registro ${recordName(purpose)}`,
    copyValue: (purpose) => `Copiar el valor del registro ${recordName(purpose)}`,
    priority: (priority) => `Prioridad ${formatNumber(priority)}`,
    purposes: {
      ownership: 'Demuestra que el dominio es tuyo',
      dkim: 'Firma tus correos',
      ed25519: 'También firma tus correos, con una clave Ed25519',
      spf: 'Autoriza a Posthorn a enviar en nombre del dominio',
      dmarc: 'Indica a los servidores receptores cómo tratar los correos falsificados',
      'return-path': 'Recibe los rebotes',
    },
  },
  ed25519: {
    add: 'Añadir clave Ed25519',
    addTitle: (domain) => `¿Añadir una clave Ed25519 a ${domain}?`,
    addEffect:
      'Los correos se firman entonces dos veces: con la clave RSA, que cualquier servidor puede comprobar, y con una clave Ed25519, que algunos prefieren. Crea el registro DNS que se muestra después. La segunda firma se añade en cuanto se encuentra el registro.',
    added: 'Clave Ed25519 añadida. Crea su registro DNS.',
    remove: 'Eliminar clave Ed25519',
    removeTitle: (domain) => `¿Eliminar la clave Ed25519 de ${domain}?`,
    removeEffect:
      'Los correos se firmarán solo con la clave RSA. Conserva el registro DNS durante una semana para que los servidores puedan comprobar los correos que están en camino. Si vuelves a añadir una clave, necesitará un registro DNS nuevo.',
    removed: 'Clave Ed25519 eliminada.',
  },
  warmUp: {
    set: 'Configurar calentamiento',
    change: 'Cambiar calentamiento',
    title: (domain) => `Calentamiento de ${domain}`,
    label: (domain) => `Calentamiento de ${domain}`,
    explanation:
      'Los proveedores de correo desconfían de un dominio nuevo que envía mucho de golpe. El calentamiento limita sus correos de marketing a un número que crece cada día; el resto espera al día siguiente. Los correos transaccionales nunca se retienen.',
    progress: (sent, limit) =>
      `Calentamiento: ${formatNumber(sent)} de ${formatCount(limit, { one: 'correo de marketing enviado', other: 'correos de marketing enviados' })} hoy`,
    startsOn: (day) => `El calentamiento empieza el ${day}. Hasta entonces no se retiene nada.`,
    lead: 'Los correos de marketing que superan el número del día esperan al día siguiente, que empieza a medianoche UTC.',
    full: 'Se alcanzó el número de hoy. Los correos de marketing continúan a medianoche UTC.',
    plan: 'Correos de marketing de los próximos días',
    utc: 'Los días empiezan a medianoche UTC. Las campañas continúan automáticamente.',
    startedOn: 'Primer día',
    perDay: 'Correos el primer día',
    growth: 'Factor de crecimiento diario',
    save: 'Guardar calentamiento',
    saved: 'Calentamiento guardado.',
    end: 'Terminar calentamiento',
    ended: 'Calentamiento terminado. Los correos en espera se están enviando.',
  },
  addDialog: {
    title: 'Añadir dominio',
    lead: 'La parte que va después de la arroba (@) en tus direcciones de remitente.',
    domain: 'Dominio',
    placeholder: 'example.com',
    added: 'Dominio añadido.',
  },
}
