/** German names and descriptions of the gallery, by slug. */
import type { GalleryTexts } from '../../../../../pages/templates/gallery/entry-texts.ts'

export const galleryEntry: GalleryTexts = {
  welcome: { name: 'Willkommen', description: 'Begrüßt neue Kunden und zeigt ihnen die ersten drei Schritte.' },
  'confirm-address': {
    name: 'Adresse bestätigen',
    description: 'Bittet neue Abonnenten oder Kunden, ihre E-Mail-Adresse zu bestätigen.',
  },
  'magic-link': { name: 'Anmeldelink', description: 'Meldet eine Person mit einem Link oder Code an, ohne Passwort.' },
  'password-reset': { name: 'Passwort zurücksetzen', description: 'Lässt eine Person ein neues Passwort wählen.' },
  'security-alert': { name: 'Sicherheitshinweis', description: 'Meldet eine Anmeldung von einem neuen Gerät.' },
  'team-invitation': { name: 'Einladung ins Team', description: 'Lädt eine Person in ein Team ein.' },
  newsletter: { name: 'Newsletter', description: 'Ein Hauptartikel, zwei kurze Artikel und eine Liste von Links.' },
  'product-announcement': {
    name: 'Produktankündigung',
    description: 'Stellt ein neues Produkt oder eine neue Funktion mit ihren Vorteilen vor.',
  },
  'event-invitation': {
    name: 'Einladung zu einer Veranstaltung',
    description: 'Lädt zu einer Veranstaltung ein, mit Datum, Ort und Programm.',
  },
  survey: { name: 'Umfrage', description: 'Stellt eine Frage mit drei Antworten und verlinkt eine kurze Umfrage.' },
  're-engagement': {
    name: 'Reaktivierung',
    description: 'Fragt Personen, die nicht aktiv waren, ob sie bleiben möchten.',
  },
  stay: {
    name: 'Möchten Sie bleiben?',
    description: 'Die letzte E-Mail an Personen, die nichts öffnen, bevor Sie ihnen nicht mehr schreiben.',
  },
  digest: { name: 'Zusammenfassung', description: 'Listet auf, was in der letzten Woche geschehen ist.' },
  receipt: { name: 'Kaufbeleg', description: 'Bestätigt eine Bestellung mit ihren Artikeln und der Summe.' },
  invoice: { name: 'Rechnung', description: 'Sendet eine Rechnung mit Betrag und Fälligkeitsdatum.' },
  shipping: {
    name: 'Versandbestätigung',
    description: 'Informiert Kunden über den Versand einer Bestellung, mit Sendungsnummer.',
  },
  'trial-ending': {
    name: 'Ende des Testzeitraums',
    description: 'Erinnert Kunden daran, dass ihr Testzeitraum endet, und bietet einen Tarif an.',
  },
}
