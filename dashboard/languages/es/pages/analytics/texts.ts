/** Spanish texts of the analytics page. */
import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/analytics/texts.ts'
import type { Translation } from '../../../translation.ts'

/** Parts of file names. */
const FILE_NAMES: Record<string, string> = {
  campaign: 'campana',
  template: 'plantilla',
  workflow: 'flujo',
  domain: 'dominio',
}

export const analytics: Translation<typeof english.texts> = {
  title: 'Analítica',
  lead: 'Observa cómo rinden tus correos a lo largo del tiempo.',
  period: 'Periodo',
  periods: { 7: 'Últimos 7 días', 30: 'Últimos 30 días', 90: 'Últimos 90 días', 365: 'Últimos 365 días' },
  exportCsv: 'Exportar CSV',
  emails: (count) => formatCount(count, { one: 'correo', other: 'correos' }),
  sent: 'Enviados',
  delivered: 'Entregados',
  opened: 'Abiertos',
  clicked: 'Con clic',
  bounced: 'Rebotados',
  complained: 'Quejas de spam',
  chart: {
    title: 'Correos por día',
    titleRates: 'Tasas por día',
    problems: 'Rebotes y quejas de spam',
    emptyTitle: 'Sin correos en este periodo',
    empty: 'Cuando envíes correos, este gráfico mostrará sus entregas, aperturas, clics y rebotes por día.',
    toCampaigns: 'Ir a campañas',
    lead: 'Los envíos, entregas, aperturas, clics y rebotes se cuentan el día en que ocurren (UTC).',
    leadRates:
      'Las tasas de cada día (UTC), sin incluir hoy. Las aperturas, los clics y los rebotes se cuentan el día en que ocurren.',
    show: 'Mostrar',
    shows: { counts: 'Cantidades', rates: 'Tasas' },
    compareSent: 'Comparar los enviados con el periodo anterior',
    compareOpened: 'Comparar la tasa de apertura con el periodo anterior',
    sentBefore: 'Enviados, periodo anterior',
    openedBefore: 'Abiertos, periodo anterior',
    showTable: 'Mostrar como tabla',
    table: 'Tabla de correos por día',
    day: 'Día',
    file: (days) => `correos-${days[0]?.date}-a-${days.at(-1)?.date}.csv`,
  },
  breakdown: {
    title: 'Desglose',
    by: { campaign: 'Campañas', template: 'Plantillas', workflow: 'Flujos', domain: 'Dominios de destinatarios' },
    domainOnPhone: 'Dominios',
    name: { campaign: 'Campaña', template: 'Plantilla', workflow: 'Flujo', domain: 'Dominio' },
    empty: 'No hay correos que desglosar en este periodo.',
    rates: (delivered, clicked, bounced) => `${delivered} entregados · ${clicked} con clic · ${bounced} rebotados`,
    deleted: 'Eliminado',
    lead: 'Correos aceptados en este periodo, con sus aperturas y clics posteriores.',
    first: (count) => `Los ${formatNumber(count)} primeros por número de correos en este periodo.`,
    file: (by, { from, to }) => `correos-por-${FILE_NAMES[by] ?? by}-${from}-a-${to}.csv`,
  },
  topEvents: {
    title: 'Eventos principales',
    empty: 'No se registraron eventos en este periodo.',
  },
}
