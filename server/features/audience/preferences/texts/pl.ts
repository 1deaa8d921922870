/** The pages for recipients in Polish. */
import type { PageTexts } from './types.ts'

export const pl: PageTexts = {
  unsubscribe: {
    title: 'Czy chcesz zrezygnować z wiadomości od {project}?',
    text: '{email} nie będzie już otrzymywać newsletterów i ofert od {project}.',
    button: 'Zrezygnuj z subskrypcji',
  },
  unsubscribed: {
    title: 'Subskrypcja anulowana',
    text: '{email} nie będzie już otrzymywać newsletterów i ofert od {project}.',
    back: 'Subskrybuj ponownie',
  },
  subscribe: {
    title: 'Czy chcesz subskrybować wiadomości od {project}?',
    text: '{email} będzie otrzymywać newslettery i oferty od {project}. Możesz zrezygnować w każdej chwili.',
    button: 'Subskrybuj',
  },
  subscribed: {
    title: 'Subskrypcja aktywna',
    text: '{email} otrzymuje newslettery i oferty od {project}. Możesz zrezygnować w każdej chwili.',
  },
  manage: {
    title: 'Ustawienia wiadomości e-mail',
    question: 'Jakie wiadomości od {project} chcesz otrzymywać na adres {email}?',
    never: 'Brak subskrypcji',
    save: 'Zapisz',
    saved: 'Twoje ustawienia zostały zapisane.',
  },
  all: { name: 'Wszystkie wiadomości', description: 'W tym newslettery i oferty' },
  necessary: { name: 'Tylko niezbędne wiadomości', description: 'Na przykład rachunki i resetowanie hasła' },
  gone: {
    title: 'Ten adres nie jest już zapisany',
    text: 'Dane powiązane z tym linkiem zostały usunięte, więc nie ma ustawień do zmiany.',
  },
  unknown: {
    title: 'Ten link nie działa',
    text: 'Być może jest niepełny. Otwórz wiadomość jeszcze raz i kliknij zawarty w niej link. Jeśli nadal nie działa, odpowiedz na wiadomość.',
  },
  emailGone: {
    title: 'Ta wiadomość nie jest już dostępna',
    text: 'Wiadomości można wyświetlać w przeglądarce przez ograniczony czas.',
  },
  emailErased: { title: 'Ta wiadomość została usunięta', text: 'Jej treść usunięto razem z danymi odbiorcy.' },
  topic: {
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
  settings: {
    title: 'Język i strefa czasowa',
    language: 'Język',
    timezone: 'Strefa czasowa',
    unset: 'Nie podano',
    download: {
      title: 'Twoje dane',
      text: 'Pobierz w pliku to, co {project} przechowuje o {email}.',
      button: 'Pobierz dane',
    },
  },
}
