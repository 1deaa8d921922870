/** The pages for recipients in Danish. */
import type { PageTexts } from './types.ts'

export const da: PageTexts = {
  unsubscribe: {
    title: 'Afmeld e-mails fra {project}?',
    text: '{email} vil ikke længere modtage nyhedsbreve og tilbud fra {project}.',
    button: 'Afmeld',
  },
  unsubscribed: {
    title: 'Du er afmeldt',
    text: '{email} modtager ikke længere nyhedsbreve og tilbud fra {project}.',
    back: 'Tilmeld dig igen',
  },
  subscribe: {
    title: 'Tilmeld dig e-mails fra {project}?',
    text: '{email} vil modtage nyhedsbreve og tilbud fra {project}. Du kan afmelde dig når som helst.',
    button: 'Tilmeld',
  },
  subscribed: {
    title: 'Du er tilmeldt',
    text: '{email} modtager nyhedsbreve og tilbud fra {project}. Du kan afmelde dig når som helst.',
  },
  manage: {
    title: 'E-mailindstillinger',
    question: 'Hvilke e-mails fra {project} vil du modtage på {email}?',
    never: 'Du er ikke tilmeldt',
    save: 'Gem',
    saved: 'Dine indstillinger er gemt.',
  },
  all: { name: 'Alle e-mails', description: 'Inklusive nyhedsbreve og tilbud' },
  necessary: { name: 'Kun nødvendige e-mails', description: 'For eksempel kvitteringer og nulstilling af adgangskode' },
  gone: {
    title: 'Denne adresse er ikke længere gemt',
    text: 'Oplysningerne bag dette link er slettet, så der er ingen indstillinger at ændre.',
  },
  unknown: {
    title: 'Dette link virker ikke',
    text: 'Det er muligvis ufuldstændigt. Åbn e-mailen igen, og klik på linket der. Hvis det stadig ikke virker, kan du besvare e-mailen.',
  },
  emailGone: {
    title: 'Denne e-mail er ikke længere tilgængelig',
    text: 'E-mails kan vises i browseren i en begrænset periode.',
  },
  emailErased: { title: 'Denne e-mail er slettet', text: 'Indholdet blev slettet sammen med modtagerens oplysninger.' },
  topic: {
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
  settings: {
    title: 'Sprog og tidszone',
    language: 'Sprog',
    timezone: 'Tidszone',
    unset: 'Ikke angivet',
    download: {
      title: 'Dine data',
      text: 'Download det, som {project} gemmer om {email}, som en fil.',
      button: 'Hent data',
    },
  },
}
