/** The pages for recipients in Swedish. */
import type { PageTexts } from './types.ts'

export const sv: PageTexts = {
  unsubscribe: {
    title: 'Avsluta prenumerationen på e-post från {project}?',
    text: '{email} får då inte längre nyhetsbrev och erbjudanden från {project}.',
    button: 'Avsluta prenumerationen',
  },
  unsubscribed: {
    title: 'Prenumerationen är avslutad',
    text: '{email} får inte längre nyhetsbrev och erbjudanden från {project}.',
    back: 'Prenumerera igen',
  },
  subscribe: {
    title: 'Prenumerera på e-post från {project}?',
    text: '{email} får då nyhetsbrev och erbjudanden från {project}. Du kan avsluta prenumerationen när som helst.',
    button: 'Prenumerera',
  },
  subscribed: {
    title: 'Prenumerationen är aktiv',
    text: '{email} får nyhetsbrev och erbjudanden från {project}. Du kan avsluta prenumerationen när som helst.',
  },
  manage: {
    title: 'E-postinställningar',
    question: 'Vilken e-post från {project} vill du få till {email}?',
    never: 'Du prenumererar inte',
    save: 'Spara',
    saved: 'Dina inställningar har sparats.',
  },
  all: { name: 'All e-post', description: 'Inklusive nyhetsbrev och erbjudanden' },
  necessary: { name: 'Endast nödvändig e-post', description: 'Till exempel kvitton och återställning av lösenord' },
  gone: {
    title: 'Den här adressen är inte längre sparad',
    text: 'Uppgifterna som hör till länken har raderats, så det finns inga inställningar att ändra.',
  },
  unknown: {
    title: 'Den här länken fungerar inte',
    text: 'Den kan vara ofullständig. Öppna mejlet igen och klicka på länken där. Svara på mejlet om den fortfarande inte fungerar.',
  },
  emailGone: {
    title: 'Det här mejlet är inte längre tillgängligt',
    text: 'Mejl kan visas i webbläsaren under en begränsad tid.',
  },
  emailErased: {
    title: 'Det här mejlet har raderats',
    text: 'Innehållet raderades tillsammans med mottagarens uppgifter.',
  },
  topic: {
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
  settings: {
    title: 'Språk och tidszon',
    language: 'Språk',
    timezone: 'Tidszon',
    unset: 'Inte angivet',
    download: {
      title: 'Dina uppgifter',
      text: 'Ladda ner det som {project} lagrar om {email} som en fil.',
      button: 'Ladda ner uppgifter',
    },
  },
}
