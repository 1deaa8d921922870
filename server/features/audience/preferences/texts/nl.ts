/** The pages for recipients in Dutch. */
import type { PageTexts } from './types.ts'

export const nl: PageTexts = {
  unsubscribe: {
    title: 'Afmelden voor e-mails van {project}?',
    text: '{email} ontvangt dan geen nieuwsbrieven en aanbiedingen meer van {project}.',
    button: 'Afmelden',
  },
  unsubscribed: {
    title: 'U bent afgemeld',
    text: '{email} ontvangt geen nieuwsbrieven en aanbiedingen meer van {project}.',
    back: 'Opnieuw aanmelden',
  },
  subscribe: {
    title: 'Aanmelden voor e-mails van {project}?',
    text: '{email} ontvangt dan nieuwsbrieven en aanbiedingen van {project}. U kunt zich op elk moment afmelden.',
    button: 'Aanmelden',
  },
  subscribed: {
    title: 'U bent aangemeld',
    text: '{email} ontvangt nieuwsbrieven en aanbiedingen van {project}. U kunt zich op elk moment afmelden.',
  },
  manage: {
    title: 'E-mailvoorkeuren',
    question: 'Welke e-mails van {project} wilt u ontvangen op {email}?',
    never: 'U bent niet aangemeld',
    save: 'Opslaan',
    saved: 'Uw voorkeuren zijn opgeslagen.',
  },
  all: { name: 'Alle e-mails', description: 'Inclusief nieuwsbrieven en aanbiedingen' },
  necessary: { name: 'Alleen noodzakelijke e-mails', description: 'Zoals facturen en wachtwoordherstel' },
  gone: {
    title: 'Dit adres is niet meer opgeslagen',
    text: 'De gegevens die bij deze link horen, zijn verwijderd. Er zijn daarom geen voorkeuren meer om te wijzigen.',
  },
  unknown: {
    title: 'Deze link werkt niet',
    text: 'Mogelijk is de link onvolledig. Open de e-mail opnieuw en klik daar op de link. Werkt de link dan nog niet, beantwoord dan de e-mail.',
  },
  emailGone: {
    title: 'Deze e-mail is niet meer beschikbaar',
    text: 'E-mails kunnen een beperkte tijd in de browser worden bekeken.',
  },
  emailErased: {
    title: 'Deze e-mail is verwijderd',
    text: 'De inhoud is samen met de gegevens van de ontvanger verwijderd.',
  },
  topic: {
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
  settings: {
    title: 'Taal en tijdzone',
    language: 'Taal',
    timezone: 'Tijdzone',
    unset: 'Niet opgegeven',
    download: {
      title: 'Uw gegevens',
      text: 'Download als bestand wat {project} over {email} bewaart.',
      button: 'Gegevens downloaden',
    },
  },
}
