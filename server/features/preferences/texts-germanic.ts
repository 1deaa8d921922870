/** The preference pages in English, German, Dutch, Swedish and Danish. */
import type { PreferenceTexts } from './text-types.ts'

export const en: PreferenceTexts = {
  unsubscribe: {
    title: 'Unsubscribe from {project}?',
    text: '{email} will no longer receive newsletters and offers from {project}.',
    button: 'Unsubscribe',
  },
  unsubscribed: {
    title: 'You’re unsubscribed',
    text: '{email} no longer receives newsletters and offers from {project}.',
    back: 'Subscribe again',
  },
  subscribe: {
    title: 'Subscribe to {project}?',
    text: '{email} will receive newsletters and offers from {project}. You can unsubscribe at any time.',
    button: 'Subscribe',
  },
  subscribed: {
    title: 'You’re subscribed',
    text: '{email} receives newsletters and offers from {project}. You can unsubscribe at any time.',
  },
  manage: {
    title: 'Email preferences',
    question: 'Which emails from {project} should {email} receive?',
    never: 'You’re not subscribed',
    save: 'Save',
    saved: 'Your preferences have been saved.',
  },
  all: { name: 'All emails', description: 'Including newsletters and offers' },
  necessary: { name: 'Essential emails only', description: 'Such as receipts and password resets' },
  gone: {
    title: 'This address is no longer on file',
    text: 'The data behind this link has been deleted, so there are no preferences to change.',
  },
  unknown: {
    title: 'This link doesn’t work',
    text: 'It may be incomplete. Open the email again and use the link there.',
  },
}

export const de: PreferenceTexts = {
  unsubscribe: {
    title: 'Von {project} abmelden?',
    text: '{email} erhält dann keine Newsletter und Angebote von {project} mehr.',
    button: 'Abmelden',
  },
  unsubscribed: {
    title: 'Sie sind abgemeldet',
    text: '{email} erhält keine Newsletter und Angebote von {project} mehr.',
    back: 'Wieder anmelden',
  },
  subscribe: {
    title: 'Bei {project} anmelden?',
    text: '{email} erhält dann Newsletter und Angebote von {project}. Abmelden ist jederzeit möglich.',
    button: 'Anmelden',
  },
  subscribed: {
    title: 'Sie sind angemeldet',
    text: '{email} erhält Newsletter und Angebote von {project}. Abmelden ist jederzeit möglich.',
  },
  manage: {
    title: 'E-Mail-Einstellungen',
    question: 'Welche E-Mails von {project} soll {email} erhalten?',
    never: 'Sie sind nicht angemeldet',
    save: 'Speichern',
    saved: 'Ihre Auswahl ist gespeichert.',
  },
  all: { name: 'Alle E-Mails', description: 'Auch Newsletter und Angebote' },
  necessary: { name: 'Nur notwendige E-Mails', description: 'Etwa Rechnungen und neue Passwörter' },
  gone: {
    title: 'Diese Adresse ist nicht mehr gespeichert',
    text: 'Die Daten zu diesem Link wurden gelöscht. Hier gibt es nichts mehr zu ändern.',
  },
  unknown: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Vielleicht ist er unvollständig. Öffnen Sie die E-Mail noch einmal und folgen Sie dem Link von dort.',
  },
}

export const nl: PreferenceTexts = {
  unsubscribe: {
    title: 'Afmelden bij {project}?',
    text: '{email} krijgt dan geen nieuwsbrieven en aanbiedingen van {project} meer.',
    button: 'Afmelden',
  },
  unsubscribed: {
    title: 'U bent afgemeld',
    text: '{email} krijgt geen nieuwsbrieven en aanbiedingen van {project} meer.',
    back: 'Opnieuw aanmelden',
  },
  subscribe: {
    title: 'Aanmelden bij {project}?',
    text: '{email} krijgt dan nieuwsbrieven en aanbiedingen van {project}. Afmelden kan altijd.',
    button: 'Aanmelden',
  },
  subscribed: {
    title: 'U bent aangemeld',
    text: '{email} krijgt nieuwsbrieven en aanbiedingen van {project}. Afmelden kan altijd.',
  },
  manage: {
    title: 'E-mailvoorkeuren',
    question: 'Welke e-mails van {project} moet {email} krijgen?',
    never: 'U bent niet aangemeld',
    save: 'Opslaan',
    saved: 'Uw keuze is opgeslagen.',
  },
  all: { name: 'Alle e-mails', description: 'Ook nieuwsbrieven en aanbiedingen' },
  necessary: { name: 'Alleen noodzakelijke e-mails', description: 'Zoals facturen en nieuwe wachtwoorden' },
  gone: {
    title: 'Dit adres is niet meer opgeslagen',
    text: 'De gegevens bij deze link zijn verwijderd. Hier valt niets meer te wijzigen.',
  },
  unknown: {
    title: 'Deze link werkt niet',
    text: 'Misschien is hij niet volledig. Open de e-mail opnieuw en volg de link van daaruit.',
  },
}

export const sv: PreferenceTexts = {
  unsubscribe: {
    title: 'Avsluta prenumerationen på {project}?',
    text: '{email} får då inte längre nyhetsbrev och erbjudanden från {project}.',
    button: 'Avsluta prenumerationen',
  },
  unsubscribed: {
    title: 'Prenumerationen är avslutad',
    text: '{email} får inte längre nyhetsbrev och erbjudanden från {project}.',
    back: 'Prenumerera igen',
  },
  subscribe: {
    title: 'Prenumerera på {project}?',
    text: '{email} får då nyhetsbrev och erbjudanden från {project}. Du kan avsluta när som helst.',
    button: 'Prenumerera',
  },
  subscribed: {
    title: 'Prenumerationen är aktiv',
    text: '{email} får nyhetsbrev och erbjudanden från {project}. Du kan avsluta när som helst.',
  },
  manage: {
    title: 'E-postinställningar',
    question: 'Vilken e-post från {project} ska {email} få?',
    never: 'Ingen prenumeration',
    save: 'Spara',
    saved: 'Ditt val är sparat.',
  },
  all: { name: 'All e-post', description: 'Även nyhetsbrev och erbjudanden' },
  necessary: { name: 'Bara nödvändig e-post', description: 'Till exempel kvitton och nya lösenord' },
  gone: {
    title: 'Den här adressen är inte längre sparad',
    text: 'Uppgifterna som länken hör till har raderats. Här finns inget mer att ändra.',
  },
  unknown: {
    title: 'Den här länken fungerar inte',
    text: 'Den kan vara ofullständig. Öppna mejlet igen och följ länken därifrån.',
  },
}

export const da: PreferenceTexts = {
  unsubscribe: {
    title: 'Afmeld {project}?',
    text: '{email} får så ikke længere nyhedsbreve og tilbud fra {project}.',
    button: 'Afmeld',
  },
  unsubscribed: {
    title: 'Du er afmeldt',
    text: '{email} får ikke længere nyhedsbreve og tilbud fra {project}.',
    back: 'Tilmeld igen',
  },
  subscribe: {
    title: 'Tilmeld {project}?',
    text: '{email} får så nyhedsbreve og tilbud fra {project}. Du kan altid afmelde igen.',
    button: 'Tilmeld',
  },
  subscribed: {
    title: 'Du er tilmeldt',
    text: '{email} får nyhedsbreve og tilbud fra {project}. Du kan altid afmelde igen.',
  },
  manage: {
    title: 'E-mailindstillinger',
    question: 'Hvilke e-mails fra {project} skal {email} have?',
    never: 'Du er ikke tilmeldt',
    save: 'Gem',
    saved: 'Dit valg er gemt.',
  },
  all: { name: 'Alle e-mails', description: 'Også nyhedsbreve og tilbud' },
  necessary: { name: 'Kun nødvendige e-mails', description: 'For eksempel kvitteringer og nye adgangskoder' },
  gone: {
    title: 'Denne adresse er ikke længere gemt',
    text: 'Oplysningerne bag dette link er slettet. Der er ikke mere at ændre her.',
  },
  unknown: {
    title: 'Dette link virker ikke',
    text: 'Det er måske ikke helt. Åbn e-mailen igen, og følg linket derfra.',
  },
}
