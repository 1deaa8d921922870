/** The pages for recipients in Italian. */
import type { PageTexts } from './types.ts'

export const it: PageTexts = {
  unsubscribe: {
    title: 'Vuoi annullare l’iscrizione alle e-mail di {project}?',
    text: '{email} non riceverà più newsletter e offerte da {project}.',
    button: 'Annulla l’iscrizione',
  },
  unsubscribed: {
    title: 'Iscrizione annullata',
    text: '{email} non riceverà più newsletter e offerte da {project}.',
    back: 'Iscriviti di nuovo',
  },
  subscribe: {
    title: 'Vuoi iscriverti alle e-mail di {project}?',
    text: '{email} riceverà newsletter e offerte da {project}. Puoi annullare l’iscrizione in qualsiasi momento.',
    button: 'Iscriviti',
  },
  subscribed: {
    title: 'Iscrizione attiva',
    text: '{email} riceve newsletter e offerte da {project}. Puoi annullare l’iscrizione in qualsiasi momento.',
  },
  manage: {
    title: 'Preferenze e-mail',
    question: 'Quali e-mail di {project} vuoi ricevere all’indirizzo {email}?',
    never: 'Nessuna iscrizione',
    save: 'Salva',
    saved: 'Le tue preferenze sono state salvate.',
  },
  all: { name: 'Tutte le e-mail', description: 'Incluse newsletter e offerte' },
  necessary: { name: 'Solo e-mail essenziali', description: 'Come ricevute e reimpostazioni della password' },
  gone: {
    title: 'Questo indirizzo non è più registrato',
    text: 'I dati associati a questo link sono stati eliminati, quindi non ci sono preferenze da modificare.',
  },
  unknown: {
    title: 'Questo link non funziona',
    text: 'Potrebbe essere incompleto. Apri di nuovo l’e-mail e fai clic sul link. Se continua a non funzionare, rispondi all’e-mail.',
  },
  emailGone: {
    title: 'Questa e-mail non è più disponibile',
    text: 'Le e-mail possono essere visualizzate nel browser per un periodo limitato.',
  },
  emailErased: {
    title: 'Questa e-mail è stata eliminata',
    text: 'Il contenuto è stato eliminato insieme ai dati della persona destinataria.',
  },
  topic: {
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
  settings: {
    title: 'Lingua e fuso orario',
    language: 'Lingua',
    timezone: 'Fuso orario',
    unset: 'Non specificato',
    download: {
      title: 'I suoi dati',
      text: 'Scarichi in un file ciò che {project} conserva su {email}.',
      button: 'Scarica i dati',
    },
  },
}
