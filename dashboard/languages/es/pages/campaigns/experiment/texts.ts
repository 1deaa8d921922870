/** Spanish texts of experiments: set-up in the campaign editor, and results on the page of the campaign. */
import {
  formatCount,
  formatList,
  formatMinutes,
  formatNumber,
  formatPercent,
  pickPlural,
} from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/campaigns/experiment/texts.ts'
import type { Translation } from '../../../../translation.ts'

const recipients = (count: number) => formatCount(count, { one: 'destinatario', other: 'destinatarios' })

/** Those of the audience that get no variant in the test. */
const toOthers = (count: number) =>
  pickPlural(count, {
    one: 'al destinatario restante',
    other: `a los ${formatNumber(count)} destinatarios restantes`,
  })

const METRICS = { opens: 'tasa de apertura', clicks: 'tasa de clics', conversions: 'tasa de conversión' }

export const experiment: Translation<typeof english.experimentTexts> = {
  title: 'Experimento (prueba A/B)',
  setup: {
    lead: 'Envía variantes a una parte de la audiencia y la mejor de ellas al resto.',
    empty:
      'Descubre qué asunto, remitente o contenido funciona mejor antes de que la mayoría reciba el correo. Una pequeña parte de la audiencia recibe las variantes al azar; después de unas horas, el resto recibe la ganadora. Necesitas al menos 200 destinatarios.',
    add: 'Añadir experimento',
    remove: 'Quitar experimento',
    timed:
      'Esta campaña está programada con una hora para cada destinatario, lo que no se puede combinar con un experimento. Para añadir uno, cambia primero la hora de envío.',
    parts: 'Qué cambia',
    partLabels: { subject: 'Asunto', sender: 'Remitente', preheader: 'Preencabezado', content: 'Contenido' },
    noParts: 'Elige al menos uno. Para saber qué marcó la diferencia, elige solo uno.',
    onePart: 'Para saber qué marcó la diferencia, prueba una sola cosa cada vez.',
    variant: (name) => `Variante ${name}`,
    name: 'Nombre',
    removeVariant: (name) => `Quitar la variante ${name}`,
    addVariant: 'Añadir variante',
    mostVariants: (count) => `Un experimento tiene hasta ${count} variantes.`,
    asCampaign: 'Vacío: como en la campaña',
    subject: 'Asunto',
    from: 'Remitente',
    fromName: 'Nombre del remitente',
    preheader: 'Preencabezado',
    contentBelow:
      'Cada variante puede tener su propio contenido. Con los botones de encima del contenido eliges cuál editas.',
    same: (first, second) =>
      `${first} y ${second} son iguales por ahora. Cambia algo en una de ellas; si no, la prueba no tiene resultado.`,
    share: 'Porcentaje de la audiencia que recibe la prueba',
    shareValue: (share) => formatPercent(share / 100, 0),
    split: (variants, each, rest) =>
      `${formatNumber(variants)} variantes para unos ${recipients(each)} cada una, y la ganadora para los ${formatNumber(rest)} restantes.`,
    splitUnknown: (variants, share) =>
      `${formatNumber(variants)} variantes para el ${formatPercent(share / 100, 0)} de la audiencia, y la ganadora para el ${formatPercent(1 - share / 100, 0)} restante.`,
    rest: 'Ganadora',
    tooSmall: (test, most, needed) =>
      needed === undefined
        ? `La prueba tendría ${recipients(test)}; necesita al menos ${most}. Elige una audiencia de al menos ${most * 2} contactos.`
        : `La prueba tendría ${recipients(test)}; necesita al menos ${most}. Aumenta el porcentaje al ${formatPercent(needed / 100, 0)} o más.`,
    metric: 'La ganadora tiene más',
    metrics: {
      opens: {
        title: 'Aperturas',
        hint: 'Para asuntos, remitentes y preencabezados. Las aperturas de máquinas no cuentan.',
      },
      clicks: { title: 'Clics', hint: 'Para contenidos. Los clics de analizadores de enlaces no cuentan.' },
      conversions: { title: 'Conversiones', hint: 'Un evento, como una compra, que sigue a un clic.' },
    },
    conversionEvent: 'Evento que cuenta como conversión',
    wait: 'Duración de la prueba',
    waitHint: 'De 15 minutos a 7 días desde el inicio. La mayoría abre un correo en unas pocas horas.',
    unit: 'Unidad',
    units: { minute: 'minutos', hour: 'horas', day: 'días' },
    selection: 'Quién elige la ganadora',
    selections: {
      automatic: {
        title: 'Posthorn, al final de la prueba',
        hint: 'El resto de la audiencia recibe la ganadora sin que hagas nada más.',
      },
      manual: {
        title: 'Tú, manualmente',
        hint: 'El resto de la audiencia espera hasta que elijas en la página de la campaña.',
      },
    },
  },
  content: {
    label: 'Contenido de',
    campaign: 'Campaña',
    as: (name) => `La variante ${name} tiene el contenido de la campaña.`,
    own: (name) => `Escribir otro contenido para ${name}`,
    ownHint: 'Empieza como una copia del contenido de la campaña.',
    reset: 'Usar el contenido de la campaña',
    wasReset: (name) => `La variante ${name} vuelve a tener el contenido de la campaña.`,
  },
  results: {
    summary: (share, metric, waitMinutes, selection) => {
      const test = `El ${formatPercent(share / 100, 0)} de la audiencia recibe una variante.`
      const wait = formatMinutes(waitMinutes)
      return selection === 'automatic'
        ? `${test} Después de ${wait}, la que tiene la mayor ${METRICS[metric]} se envía al resto.`
        : `${test} Después de ${wait}, tú eliges cuál se envía al resto.`
    },
    none: 'Descubre qué asunto, remitente o contenido funciona mejor: una parte de la audiencia recibe variantes, y el resto, la mejor de ellas.',
    add: 'Configurar experimento',
    change: 'Cambiar experimento',
    badge: 'Prueba A/B',
    statuses: {
      draft: 'Sin iniciar',
      testing: 'Prueba en curso',
      deciding: 'Esperando ganadora',
      sending: 'Enviando la ganadora',
      done: 'Completado',
    },
    testing: 'La prueba dura hasta el <time/>.',
    next: {
      automatic: (metric, rest) =>
        `Después, la variante con la mayor ${METRICS[metric]} se envía ${toOthers(rest)}. También puedes elegir una ahora.`,
      manual: (rest) =>
        `No se envía nada ${toOthers(rest)} hasta que elijas una variante. Puedes hacerlo en cualquier momento.`,
    },
    over: (rest) => `La prueba ha terminado. Elige la variante que se envía ${toOthers(rest)}.`,
    deciding: 'La prueba ha terminado. La ganadora se elige en cuanto se hayan enviado todos sus correos.',
    decided: {
      system: (name) => `${name} se eligió automáticamente (<time/>).`,
      user: (name, who) => `${who} eligió ${name} (<time/>).`,
      key: (name, who) => `${name} se eligió con la clave de API «${who}» (<time/>).`,
    },
    canceled: 'La campaña se canceló antes de elegir una ganadora. El resto de la audiencia no recibió nada.',
    conclusion: {
      none: 'Aún no hay resultados.',
      ahead: (name, probability) =>
        `${name} va en cabeza: es la mejor variante con una probabilidad del ${formatPercent(probability, 0)}.`,
      equal: (names) => `${formatList(names)} van empatadas por ahora.`,
      close: (name, needed) =>
        needed === null
          ? `${name} va en cabeza, pero por tan poco que ni un millón de destinatarios más bastaría.`
          : `${name} va en cabeza, pero por muy poco para estar seguros. Harían falta ${recipients(needed)} más.`,
      won: (name) => `${name} ganó.`,
      chosen: (name) =>
        `Se eligió ${name}, pero la diferencia entre las variantes es demasiado pequeña para asegurar que es la mejor.`,
    },
    inconclusive:
      'Para un resultado más claro la próxima vez, prueba variantes más distintas o un porcentaje mayor de la audiencia.',
    table: 'Resultados por variante',
    column: {
      variant: 'Variante',
      sent: 'Enviados',
      opens: 'Abiertos',
      clicks: 'Con clic',
      conversions: 'Convertidos',
      best: 'Probabilidad de ser la mejor',
      bestShort: 'Mejor',
    },
    differs: 'Se diferencia en',
    asCampaign: 'Como en la campaña',
    ownContent: 'Contenido propio',
    from: (from) => `De ${from}`,
    preheader: (preheader) => `Preencabezado: ${preheader}`,
    winner: 'Ganadora',
    bestHint: `La probabilidad de que esta variante tenga la tasa más alta, según las cifras hasta ahora. Una ganadora por encima del ${formatPercent(0.8, 0)} se considera clara.`,
    choose: 'Enviar al resto',
    chooseNamed: (name) => `Enviar al resto: ${name}`,
    chooseTitle: (name) => `¿Enviar ${name} al resto de la audiencia?`,
    chooseEffect: (rest) =>
      `Esto termina la prueba. ${formatCount(rest, { one: 'destinatario recibe', other: 'destinatarios reciben' })} ahora esta variante, salvo quienes se hayan dado de baja entretanto. Esta acción no se puede deshacer.`,
    chosen: (name) => `${name} se envía al resto de la audiencia.`,
    preview: 'Variante',
  },
}
