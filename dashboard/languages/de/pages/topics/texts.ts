/** German texts of the topics page. */
import type * as english from '../../../../pages/topics/texts.ts'
import type { Translation } from '../../../translation.ts'

export const topics: Translation<typeof english.texts> = {
  title: 'Themen',
  lead: 'Was Kontakte zum Empfang auswählen können. Eine Vorlage oder Kampagne mit einem Thema wird nur an Kontakte gesendet, die es abonniert haben.',
  add: 'Thema erstellen',
  column: { name: 'Thema', key: 'Schlüssel', subscribers: 'Abonnenten' },
  optIn: 'Opt-in',
  hidden: 'Nicht auf der Präferenzseite',
  moveUp: (name) => `${name} nach oben verschieben`,
  moveDown: (name) => `${name} nach unten verschieben`,
  edit: (name) => `${name} bearbeiten`,
  emptyTitle: 'Noch keine Themen',
  empty:
    'Themen sind die Arten von E-Mails, die Sie senden, zum Beispiel „Produktneuigkeiten“ oder „Angebote“. Kontakte wählen sie auf ihrer Präferenzseite. Wer eine Art nicht möchte, behält so das Abonnement der anderen.',
  noMatchTitle: 'Keine passenden Themen',
  noMatch: 'Versuchen Sie eine andere Suche.',
  removeLabel: (name) => `${name} löschen`,
  removeTitle: 'Dieses Thema löschen?',
  removeAction: 'Thema löschen',
  removeEffect: (name) =>
    `„${name}“ wird gelöscht, ebenso was Kontakte dazu gewählt haben. Das lässt sich nicht rückgängig machen.`,
  removed: 'Thema gelöscht.',
  editor: {
    createTitle: 'Thema erstellen',
    editTitle: 'Thema bearbeiten',
    name: 'Name',
    key: 'Schlüssel',
    keyHint:
      'Bezeichnet das Thema in der API. Kleinbuchstaben, Ziffern und Bindestriche. Er kann später nicht geändert werden.',
    description: 'Beschreibung',
    descriptionHint: 'Steht auf der Präferenzseite.',
    defaultSubscribed: 'Kontakte mit Abonnement erhalten es, bis sie es abbestellen',
    defaultHint: 'Andernfalls erhalten es nur Kontakte, die es ausdrücklich abonniert haben.',
    isPublic: 'Auf der Präferenzseite anzeigen',
    create: 'Thema erstellen',
    save: 'Thema speichern',
    created: 'Thema erstellt.',
    saved: 'Thema gespeichert.',
  },
}
