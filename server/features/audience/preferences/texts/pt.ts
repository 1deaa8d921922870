/** The pages for recipients in Portuguese, with words that are common in both Portugal and Brazil. */
import type { PageTexts } from './types.ts'

export const pt: PageTexts = {
  unsubscribe: {
    title: 'Deixar de receber e-mails de {project}?',
    text: '{email} deixará de receber newsletters e ofertas de {project}.',
    button: 'Deixar de receber',
  },
  unsubscribed: {
    title: 'Cancelamento confirmado',
    text: '{email} deixará de receber newsletters e ofertas de {project}.',
    back: 'Voltar a receber',
  },
  subscribe: {
    title: 'Receber e-mails de {project}?',
    text: '{email} receberá newsletters e ofertas de {project}. Pode cancelar a qualquer momento.',
    button: 'Receber e-mails',
  },
  subscribed: {
    title: 'E-mails ativados',
    text: '{email} recebe newsletters e ofertas de {project}. Pode cancelar a qualquer momento.',
  },
  manage: {
    title: 'Preferências de e-mail',
    question: 'Quais e-mails de {project} deseja receber em {email}?',
    never: 'E-mails não ativados',
    save: 'Confirmar',
    saved: 'As suas preferências foram atualizadas.',
  },
  all: { name: 'Todos os e-mails', description: 'Incluindo newsletters e ofertas' },
  necessary: { name: 'Apenas e-mails essenciais', description: 'Como recibos e recuperação de conta' },
  gone: {
    title: 'Este endereço foi removido',
    text: 'Os dados associados a este link foram eliminados, por isso não há preferências para alterar.',
  },
  unknown: {
    title: 'Este link não funciona',
    text: 'Pode estar incompleto. Abra o e-mail novamente e clique no link. Se ainda não funcionar, responda ao e-mail.',
  },
  emailGone: {
    title: 'Este e-mail já não está disponível',
    text: 'Os e-mails podem ser vistos no navegador durante um período limitado.',
  },
  emailErased: {
    title: 'Este e-mail foi eliminado',
    text: 'O conteúdo foi eliminado juntamente com os dados da pessoa destinatária.',
  },
  topic: {
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
  settings: {
    title: 'Idioma e fuso horário',
    language: 'Idioma',
    timezone: 'Fuso horário',
    unset: 'Não especificado',
    download: {
      title: 'Os seus dados',
      text: 'Descarregue num ficheiro o que {project} guarda sobre {email}.',
      button: 'Descarregar os dados',
    },
  },
}
