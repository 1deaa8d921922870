/**
 * The preference pages in every language: topics, and a pause. `{topic}`, `{project}`, `{email}`, `{days}` and `{date}` are
 * replaced.
 */
import type { TopicTexts } from './text-types.ts'

export const topicTexts = {
  en: {
    unsubscribe: {
      title: 'Unsubscribe from “{topic}”?',
      text: '{email} will no longer receive “{topic}” from {project}.',
    },
    unsubscribed: {
      title: 'You’re unsubscribed from “{topic}”',
      text: '{email} will no longer receive “{topic}” from {project}.',
    },
    subscribe: {
      title: 'Subscribe to “{topic}”?',
      text: '{email} will receive “{topic}” from {project}. You can unsubscribe at any time.',
    },
    subscribed: {
      title: 'You’re subscribed to “{topic}”',
      text: '{email} receives “{topic}” from {project}. You can unsubscribe at any time.',
    },
    everything: 'Unsubscribe from everything',
    topics: 'Topics',
    pause: {
      title: 'Take a break',
      text: 'You stay subscribed, but receive no newsletters or offers until the pause ends.',
      button: 'Pause for {days} days',
      paused: 'Paused until {date}',
      resume: 'Resume now',
    },
  },
  de: {
    unsubscribe: { title: '„{topic}“ abbestellen?', text: '{email} erhält dann „{topic}“ von {project} nicht mehr.' },
    unsubscribed: { title: '„{topic}“ abbestellt', text: '{email} erhält „{topic}“ von {project} nicht mehr.' },
    subscribe: {
      title: '„{topic}“ abonnieren?',
      text: '{email} erhält dann „{topic}“ von {project}. Sie können es jederzeit abbestellen.',
    },
    subscribed: {
      title: '„{topic}“ abonniert',
      text: '{email} erhält „{topic}“ von {project}. Sie können es jederzeit abbestellen.',
    },
    everything: 'Alles abbestellen',
    topics: 'Themen',
    pause: {
      title: 'Pause einlegen',
      text: 'Ihr Abonnement bleibt bestehen, aber bis zum Ende der Pause erhalten Sie keine Newsletter und Angebote.',
      button: '{days} Tage pausieren',
      paused: 'Pausiert bis {date}',
      resume: 'Jetzt fortsetzen',
    },
  },
  fr: {
    unsubscribe: { title: 'Se désabonner de « {topic} » ?', text: '{email} ne recevra plus « {topic} » de {project}.' },
    unsubscribed: {
      title: 'Désabonnement de « {topic} » confirmé',
      text: '{email} ne recevra plus « {topic} » de {project}.',
    },
    subscribe: {
      title: 'S’abonner à « {topic} » ?',
      text: '{email} recevra « {topic} » de {project}. Vous pouvez vous désabonner à tout moment.',
    },
    subscribed: {
      title: 'Abonnement à « {topic} » confirmé',
      text: '{email} reçoit « {topic} » de {project}. Vous pouvez vous désabonner à tout moment.',
    },
    everything: 'Se désabonner de tout',
    topics: 'Thèmes',
    pause: {
      title: 'Faire une pause',
      text: 'Votre abonnement est conservé, mais vous ne recevrez ni newsletter ni offre avant la fin de la pause.',
      button: 'Suspendre pendant {days} jours',
      paused: 'Suspendu jusqu’au {date}',
      resume: 'Reprendre maintenant',
    },
  },
  es: {
    unsubscribe: {
      title: '¿Cancelar la suscripción a «{topic}»?',
      text: '{email} dejará de recibir «{topic}» de {project}.',
    },
    unsubscribed: {
      title: 'Suscripción a «{topic}» cancelada',
      text: '{email} ya no recibirá «{topic}» de {project}.',
    },
    subscribe: {
      title: '¿Suscribirse a «{topic}»?',
      text: '{email} recibirá «{topic}» de {project}. Puede cancelar la suscripción en cualquier momento.',
    },
    subscribed: {
      title: 'Suscripción a «{topic}» confirmada',
      text: '{email} recibe «{topic}» de {project}. Puede cancelar la suscripción en cualquier momento.',
    },
    everything: 'Cancelar todas las suscripciones',
    topics: 'Temas',
    pause: {
      title: 'Hacer una pausa',
      text: 'Su suscripción se mantiene, pero no recibirá boletines ni ofertas hasta que termine la pausa.',
      button: 'Pausar durante {days} días',
      paused: 'En pausa hasta el {date}',
      resume: 'Reanudar ahora',
    },
  },
  it: {
    unsubscribe: {
      title: 'Annullare l’iscrizione a «{topic}»?',
      text: '{email} non riceverà più «{topic}» da {project}.',
    },
    unsubscribed: {
      title: 'Iscrizione a «{topic}» annullata',
      text: '{email} non riceverà più «{topic}» da {project}.',
    },
    subscribe: {
      title: 'Iscriversi a «{topic}»?',
      text: '{email} riceverà «{topic}» da {project}. Può annullare l’iscrizione in qualsiasi momento.',
    },
    subscribed: {
      title: 'Iscrizione a «{topic}» confermata',
      text: '{email} riceve «{topic}» da {project}. Può annullare l’iscrizione in qualsiasi momento.',
    },
    everything: 'Annulla tutte le iscrizioni',
    topics: 'Argomenti',
    pause: {
      title: 'Prendersi una pausa',
      text: 'L’iscrizione resta attiva, ma non riceverà newsletter né offerte fino al termine della pausa.',
      button: 'Sospendi per {days} giorni',
      paused: 'In pausa fino al {date}',
      resume: 'Riprendi ora',
    },
  },
  nl: {
    unsubscribe: { title: 'Afmelden voor ‘{topic}’?', text: '{email} ontvangt dan geen ‘{topic}’ meer van {project}.' },
    unsubscribed: {
      title: 'U bent afgemeld voor ‘{topic}’',
      text: '{email} ontvangt geen ‘{topic}’ meer van {project}.',
    },
    subscribe: {
      title: 'Aanmelden voor ‘{topic}’?',
      text: '{email} ontvangt dan ‘{topic}’ van {project}. U kunt zich op elk moment afmelden.',
    },
    subscribed: {
      title: 'U bent aangemeld voor ‘{topic}’',
      text: '{email} ontvangt ‘{topic}’ van {project}. U kunt zich op elk moment afmelden.',
    },
    everything: 'Afmelden voor alles',
    topics: 'Onderwerpen',
    pause: {
      title: 'Pauzeren',
      text: 'U blijft aangemeld, maar ontvangt geen nieuwsbrieven en aanbiedingen tot de pauze voorbij is.',
      button: '{days} dagen pauzeren',
      paused: 'Gepauzeerd tot {date}',
      resume: 'Nu hervatten',
    },
  },
  pt: {
    unsubscribe: {
      title: 'Cancelar a subscrição de “{topic}”?',
      text: '{email} deixará de receber “{topic}” de {project}.',
    },
    unsubscribed: {
      title: 'Subscrição de “{topic}” cancelada',
      text: '{email} deixará de receber “{topic}” de {project}.',
    },
    subscribe: {
      title: 'Subscrever “{topic}”?',
      text: '{email} passará a receber “{topic}” de {project}. É possível cancelar a qualquer momento.',
    },
    subscribed: {
      title: 'Subscrição de “{topic}” confirmada',
      text: '{email} recebe “{topic}” de {project}. É possível cancelar a qualquer momento.',
    },
    everything: 'Cancelar tudo',
    topics: 'Temas',
    pause: {
      title: 'Fazer uma pausa',
      text: 'A subscrição mantém-se, mas não receberá newsletters nem ofertas até ao fim da pausa.',
      button: 'Pausar por {days} dias',
      paused: 'Em pausa até {date}',
      resume: 'Retomar agora',
    },
  },
  pl: {
    unsubscribe: {
      title: 'Zrezygnować z „{topic}”?',
      text: '{email} nie będzie już otrzymywać „{topic}” od {project}.',
    },
    unsubscribed: {
      title: 'Rezygnacja z „{topic}” przyjęta',
      text: '{email} nie będzie już otrzymywać „{topic}” od {project}.',
    },
    subscribe: {
      title: 'Subskrybować „{topic}”?',
      text: '{email} będzie otrzymywać „{topic}” od {project}. Z subskrypcji można zrezygnować w każdej chwili.',
    },
    subscribed: {
      title: 'Subskrypcja „{topic}” aktywna',
      text: '{email} otrzymuje „{topic}” od {project}. Z subskrypcji można zrezygnować w każdej chwili.',
    },
    everything: 'Zrezygnuj ze wszystkiego',
    topics: 'Tematy',
    pause: {
      title: 'Zrób przerwę',
      text: 'Subskrypcja pozostaje aktywna, ale do końca przerwy nie przyjdą żadne newslettery ani oferty.',
      button: 'Wstrzymaj na {days} dni',
      paused: 'Wstrzymano do {date}',
      resume: 'Wznów teraz',
    },
  },
  sv: {
    unsubscribe: {
      title: 'Avsluta prenumerationen på ”{topic}”?',
      text: '{email} får då inte längre ”{topic}” från {project}.',
    },
    unsubscribed: {
      title: 'Prenumerationen på ”{topic}” är avslutad',
      text: '{email} får inte längre ”{topic}” från {project}.',
    },
    subscribe: {
      title: 'Prenumerera på ”{topic}”?',
      text: '{email} får då ”{topic}” från {project}. Du kan avsluta när som helst.',
    },
    subscribed: {
      title: 'Du prenumererar på ”{topic}”',
      text: '{email} får ”{topic}” från {project}. Du kan avsluta när som helst.',
    },
    everything: 'Avsluta allt',
    topics: 'Ämnen',
    pause: {
      title: 'Ta en paus',
      text: 'Prenumerationen finns kvar, men du får inga nyhetsbrev eller erbjudanden förrän pausen är slut.',
      button: 'Pausa i {days} dagar',
      paused: 'Pausad till {date}',
      resume: 'Återuppta nu',
    },
  },
  da: {
    unsubscribe: { title: 'Afmeld “{topic}”?', text: '{email} modtager så ikke længere “{topic}” fra {project}.' },
    unsubscribed: { title: 'Du er afmeldt “{topic}”', text: '{email} modtager ikke længere “{topic}” fra {project}.' },
    subscribe: {
      title: 'Tilmeld “{topic}”?',
      text: '{email} modtager så “{topic}” fra {project}. Du kan afmelde dig når som helst.',
    },
    subscribed: {
      title: 'Du er tilmeldt “{topic}”',
      text: '{email} modtager “{topic}” fra {project}. Du kan afmelde dig når som helst.',
    },
    everything: 'Afmeld alt',
    topics: 'Emner',
    pause: {
      title: 'Tag en pause',
      text: 'Du er stadig tilmeldt, men modtager ingen nyhedsbreve eller tilbud, før pausen er slut.',
      button: 'Hold pause i {days} dage',
      paused: 'På pause indtil {date}',
      resume: 'Genoptag nu',
    },
  },
  ja: {
    unsubscribe: {
      title: '「{topic}」の配信を停止しますか？',
      text: '{email} 宛てに {project} の「{topic}」は届かなくなります。',
    },
    unsubscribed: {
      title: '「{topic}」の配信を停止しました',
      text: '{email} 宛てに {project} の「{topic}」は届かなくなります。',
    },
    subscribe: {
      title: '「{topic}」に登録しますか？',
      text: '{email} 宛てに {project} の「{topic}」が届きます。いつでも配信を停止できます。',
    },
    subscribed: {
      title: '「{topic}」に登録しています',
      text: '{email} 宛てに {project} の「{topic}」が届きます。いつでも配信を停止できます。',
    },
    everything: 'すべての配信を停止する',
    topics: 'トピック',
    pause: {
      title: '配信を休止する',
      text: '登録はそのままで、休止期間が終わるまでニュースレターやお知らせは届きません。',
      button: '{days} 日間休止する',
      paused: '{date} まで休止中',
      resume: '今すぐ再開する',
    },
  },
  zh: {
    unsubscribe: { title: '退订“{topic}”？', text: '{email} 将不再收到 {project} 的“{topic}”。' },
    unsubscribed: { title: '已退订“{topic}”', text: '{email} 将不再收到 {project} 的“{topic}”。' },
    subscribe: { title: '订阅“{topic}”？', text: '{email} 将收到 {project} 的“{topic}”。您可以随时退订。' },
    subscribed: { title: '已订阅“{topic}”', text: '{email} 会收到 {project} 的“{topic}”。您可以随时退订。' },
    everything: '退订全部邮件',
    topics: '主题',
    pause: {
      title: '暂停接收',
      text: '订阅会保留，但暂停期间您不会收到任何资讯或优惠邮件。',
      button: '暂停 {days} 天',
      paused: '已暂停至 {date}',
      resume: '立即恢复',
    },
  },
} satisfies Record<string, TopicTexts>
