/** Portuguese texts of experiments: set-up in the campaign editor, and results on the page of the campaign. */
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

const recipients = (count: number) => formatCount(count, { one: 'destinatário', other: 'destinatários' })

/** "outro destinatário" or "outros 310 destinatários". */
const otherRecipients = (count: number) =>
  pickPlural(count, { one: 'outro destinatário', other: `outros ${formatNumber(count)} destinatários` })

const toOthers = (count: number) => `${pickPlural(count, { one: 'ao', other: 'aos' })} ${otherRecipients(count)}`

const METRICS = { opens: 'taxa de abertura', clicks: 'taxa de cliques', conversions: 'taxa de conversão' }

export const experiment: Translation<typeof english.experimentTexts> = {
  title: 'Experimento (teste A/B)',
  setup: {
    lead: 'Envie variantes a uma parte do público e a melhor delas ao restante.',
    empty:
      'Descubra qual assunto, remetente ou conteúdo funciona melhor antes que a maioria receba o e-mail. Uma pequena parte do público recebe as variantes de forma aleatória; algumas horas depois, todos os demais recebem a vencedora. São necessários pelo menos 200 destinatários.',
    add: 'Adicionar experimento',
    remove: 'Remover experimento',
    timed:
      'Esta campanha está agendada com um horário para cada destinatário, o que não pode ser combinado com um experimento. Para adicionar um, altere antes o horário de envio.',
    parts: 'O que muda',
    partLabels: { subject: 'Assunto', sender: 'Remetente', preheader: 'Pré-cabeçalho', content: 'Conteúdo' },
    noParts: 'Escolha pelo menos um. Para saber o que fez a diferença, escolha apenas um.',
    onePart: 'Para saber o que fez a diferença, teste uma coisa de cada vez.',
    variant: (name: string) => `Variante ${name}`,
    name: 'Nome',
    removeVariant: (name: string) => `Remover variante ${name}`,
    addVariant: 'Adicionar variante',
    mostVariants: (count: number) => `Um experimento tem até ${count} variantes.`,
    asCampaign: 'Vazio: como na campanha',
    subject: 'Assunto',
    from: 'De',
    fromName: 'Nome do remetente',
    preheader: 'Pré-cabeçalho',
    contentBelow:
      'Cada variante pode ter seu próprio conteúdo. Com os botões acima do conteúdo, você escolhe qual editar.',
    same: (first: string, second: string) =>
      `${first} e ${second} são iguais até agora. Altere algo em uma delas, senão o teste não terá resultado.`,
    share: 'Parcela do público que recebe o teste',
    shareValue: (share: number) => formatPercent(share / 100, 0),
    split: (variants: number, each: number, rest: number) =>
      `${formatNumber(variants)} variantes para cerca de ${recipients(each)} cada, e a vencedora ${toOthers(rest)}.`,
    splitUnknown: (variants: number, share: number) =>
      `${formatNumber(variants)} variantes para ${formatPercent(share / 100, 0)} do público, e a vencedora para os outros ${formatPercent(1 - share / 100, 0)}.`,
    rest: 'Vencedora',
    tooSmall: (test: number, most: number, needed: number | undefined) =>
      needed === undefined
        ? `O teste teria ${recipients(test)}; são necessários pelo menos ${most}. Escolha um público de pelo menos ${most * 2} contatos.`
        : `O teste teria ${recipients(test)}; são necessários pelo menos ${most}. Aumente a parcela para ${needed}% ou mais.`,
    metric: 'A vencedora tem mais',
    metrics: {
      opens: {
        title: 'Aberturas',
        hint: 'Para assuntos, remetentes e pré-cabeçalhos. Aberturas por máquinas não contam.',
      },
      clicks: { title: 'Cliques', hint: 'Para conteúdo. Cliques de verificadores de links não contam.' },
      conversions: { title: 'Conversões', hint: 'Um evento, como uma compra, que acontece depois de um clique.' },
    },
    conversionEvent: 'Evento que conta como conversão',
    wait: 'Duração do teste',
    waitHint:
      'De 15 minutos a 7 dias, contados a partir do início. A maioria das pessoas abre um e-mail em poucas horas.',
    unit: 'Unidade',
    units: { minute: 'minutos', hour: 'horas', day: 'dias' },
    selection: 'Quem escolhe a vencedora',
    selections: {
      automatic: {
        title: 'O Posthorn, ao final do teste',
        hint: 'O restante do público recebe a vencedora sem nenhuma outra ação.',
      },
      manual: {
        title: 'Você, manualmente',
        hint: 'O restante do público espera até que você escolha na página da campanha.',
      },
    },
  },
  content: {
    label: 'Conteúdo de',
    campaign: 'Campanha',
    as: (name: string) => `A variante ${name} tem o conteúdo da campanha.`,
    own: (name: string) => `Escrever outro conteúdo para ${name}`,
    ownHint: 'Começa como uma cópia do conteúdo da campanha.',
    reset: 'Usar o conteúdo da campanha',
    wasReset: (name: string) => `A variante ${name} voltou a ter o conteúdo da campanha.`,
  },
  results: {
    summary: (
      share: number,
      metric: keyof typeof METRICS,
      waitMinutes: number,
      selection: 'automatic' | 'manual',
    ): string => {
      const test = `${formatPercent(share / 100, 0)} do público recebe uma variante.`
      const wait = formatMinutes(waitMinutes)
      return selection === 'automatic'
        ? `${test} Depois de ${wait}, a que tiver a maior ${METRICS[metric]} é enviada ao restante.`
        : `${test} Depois de ${wait}, você escolhe qual é enviada ao restante.`
    },
    none: 'Descubra qual assunto, remetente ou conteúdo funciona melhor: variantes vão para uma parte do público, e a melhor delas, para o restante.',
    add: 'Configurar experimento',
    change: 'Alterar experimento',
    badge: 'Teste A/B',
    statuses: {
      draft: 'Não iniciado',
      testing: 'Teste em andamento',
      deciding: 'Aguardando vencedora',
      sending: 'Enviando a vencedora',
      done: 'Concluído',
    },
    testing: 'O teste vai até <time/>.',
    next: {
      automatic: (metric: keyof typeof METRICS, rest: number) =>
        `Depois, a variante com a maior ${METRICS[metric]} é enviada ${toOthers(rest)}. Você também pode escolher uma agora.`,
      manual: (rest: number) =>
        `${pickPlural(rest, { one: 'O outro destinatário espera', other: `Os outros ${formatNumber(rest)} destinatários esperam` })} até que você escolha uma variante. Você pode fazer isso a qualquer momento.`,
    },
    over: (rest: number) => `O teste terminou. Escolha a variante que será enviada ${toOthers(rest)}.`,
    deciding: 'O teste terminou. A vencedora é escolhida assim que todos os e-mails dele forem enviados.',
    decided: {
      system: (name: string) => `${name} foi escolhida automaticamente (<time/>).`,
      user: (name: string, who: string) => `${name} foi escolhida por ${who} (<time/>).`,
      key: (name: string, who: string) => `${name} foi escolhida com a chave de API “${who}” (<time/>).`,
    },
    canceled:
      'A campanha foi cancelada antes que uma vencedora fosse escolhida. O restante do público não recebeu nada.',
    conclusion: {
      none: 'Ainda não há resultados.',
      ahead: (name, probability) =>
        `${name} está na frente: é a melhor variante com uma probabilidade de ${formatPercent(probability, 0)}.`,
      equal: (names) => `${formatList(names)} estão empatadas até agora.`,
      close: (name, needed) =>
        needed === null
          ? `${name} está na frente, mas por tão pouco que nem mais um milhão de destinatários bastaria.`
          : `${name} está na frente, mas por muito pouco para ter certeza. Seriam necessários mais ${recipients(needed)}.`,
      won: (name) => `${name} venceu.`,
      chosen: (name) =>
        `${name} foi escolhida, mas a diferença entre as variantes é pequena demais para garantir que é a melhor.`,
    },
    inconclusive:
      'Para um resultado mais claro da próxima vez, teste variantes mais diferentes entre si ou uma parcela maior do público.',
    table: 'Resultados por variante',
    column: {
      variant: 'Variante',
      sent: 'Enviados',
      opens: 'Abertos',
      clicks: 'Clicados',
      conversions: 'Conversões',
      best: 'Probabilidade de ser a melhor',
      bestShort: 'Melhor',
    },
    differs: 'Difere em',
    asCampaign: 'Como na campanha',
    ownContent: 'Conteúdo próprio',
    from: (from: string) => `De ${from}`,
    preheader: (preheader: string) => `Pré-cabeçalho: ${preheader}`,
    winner: 'Vencedora',
    bestHint:
      'A probabilidade de que esta variante tenha a maior taxa, com base nos números até agora. Uma vencedora acima de 80% é considerada clara.',
    choose: 'Enviar ao restante',
    chooseNamed: (name: string) => `Enviar ao restante: ${name}`,
    chooseTitle: (name: string) => `Enviar ${name} ao restante do público?`,
    chooseEffect: (rest: number) =>
      `Isso encerra o teste. ${formatCount(rest, { one: 'destinatário recebe', other: 'destinatários recebem' })} esta variante agora, a menos que a inscrição tenha sido cancelada nesse meio-tempo. Não é possível desfazer essa ação.`,
    chosen: (name: string) => `${name} está sendo enviada ao restante do público.`,
    preview: 'Variante',
  },
}
