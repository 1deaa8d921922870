/** The preference pages in English, German, Dutch, Swedish and Danish. */
import type { PreferenceTexts } from './text-types.ts'

export const en: PreferenceTexts = {
  unsubscribe: {
    title: 'Unsubscribe from {project}?',
    text: '{email} will no longer receive newsletters or offers from {project}.',
    button: 'Unsubscribe',
  },
  unsubscribed: {
    title: 'You’re unsubscribed',
    text: '{email} will no longer receive newsletters or offers from {project}.',
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
    text: 'It may be incomplete. Open the email again and click the link in it. If it still doesn’t work, reply to the email.',
  },
  emailGone: {
    title: 'This email is no longer available',
    text: 'Emails can be viewed in the browser for a limited time.',
  },
  emailErased: {
    title: 'This email has been deleted',
    text: 'Its content was deleted together with the recipient’s data.',
  },
}

export const de: PreferenceTexts = {
  unsubscribe: {
    title: 'Newsletter von {project} abbestellen?',
    text: '{email} erhält dann keine Newsletter und Angebote von {project} mehr.',
    button: 'Abbestellen',
  },
  unsubscribed: {
    title: 'Newsletter abbestellt',
    text: '{email} erhält keine Newsletter und Angebote von {project} mehr.',
    back: 'Wieder abonnieren',
  },
  subscribe: {
    title: 'Newsletter von {project} abonnieren?',
    text: '{email} erhält dann Newsletter und Angebote von {project}. Sie können sie jederzeit abbestellen.',
    button: 'Abonnieren',
  },
  subscribed: {
    title: 'Newsletter abonniert',
    text: '{email} erhält Newsletter und Angebote von {project}. Sie können sie jederzeit abbestellen.',
  },
  manage: {
    title: 'E-Mail-Einstellungen',
    question: 'Welche E-Mails von {project} möchten Sie an {email} erhalten?',
    never: 'Newsletter nicht abonniert',
    save: 'Speichern',
    saved: 'Ihre Einstellungen wurden gespeichert.',
  },
  all: { name: 'Alle E-Mails', description: 'Einschließlich Newsletter und Angebote' },
  necessary: {
    name: 'Nur notwendige E-Mails',
    description: 'Zum Beispiel Rechnungen und Links zum Zurücksetzen des Passworts',
  },
  gone: {
    title: 'Diese Adresse ist nicht mehr gespeichert',
    text: 'Die Daten zu diesem Link wurden gelöscht. Es gibt daher keine Einstellungen mehr, die Sie ändern können.',
  },
  unknown: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Möglicherweise ist er unvollständig. Öffnen Sie die E-Mail noch einmal und klicken Sie dort auf den Link. Wenn er weiterhin nicht funktioniert, antworten Sie auf die E-Mail.',
  },
  emailGone: {
    title: 'Diese E-Mail ist nicht mehr verfügbar',
    text: 'E-Mails können nur für begrenzte Zeit im Browser angezeigt werden.',
  },
  emailErased: {
    title: 'Diese E-Mail wurde gelöscht',
    text: 'Der Inhalt wurde zusammen mit den zugehörigen personenbezogenen Daten gelöscht.',
  },
}

export const nl: PreferenceTexts = {
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
}

export const sv: PreferenceTexts = {
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
}

export const da: PreferenceTexts = {
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
}
