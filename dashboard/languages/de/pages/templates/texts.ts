/** German texts of the template pages, and of the email fields that campaigns share. */

import { formatCount, formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/templates/texts.ts'
import type { Translation } from '../../../translation.ts'

export const templates: Translation<typeof english.texts> = {
  title: 'Vorlagen',
  lead: 'Wiederverwendbare E-Mails, für jeden Kontakt personalisiert.',
  create: 'Vorlage erstellen',
  column: {
    preview: 'Vorschau',
    name: 'Name',
    type: 'Typ',
    from: 'Absender',
    lastUsed: 'Zuletzt verwendet',
    updated: 'Aktualisiert',
  },
  neverUsed: 'Nie',
  typeAndUpdate: '<type/>, bearbeitet <when/>',
  search: 'Vorlagen durchsuchen',
  type: 'Typ',
  allTypes: 'Alle Typen',
  sort: 'Sortieren nach',
  sorts: {
    '': 'Zuletzt bearbeitet',
    createdAt: 'Neueste zuerst',
    lastUsedAt: 'Zuletzt verwendet',
    name: 'Name',
  },
  thumbnail: (name) => `Vorschau von ${name}`,
  types: { MARKETING: 'Marketing', TRANSACTIONAL: 'Transaktional', HEADLESS: 'Headless' },
  emptyTitle: 'Noch keine Vorlagen',
  empty:
    'Eine Vorlage enthält Betreff, Inhalt und Absender einer E-Mail. Verwenden Sie sie in API-Anfragen, Kampagnen und Workflows.',
  noMatchTitle: 'Keine passenden Vorlagen',
  noMatch: 'Versuchen Sie eine andere Suche oder einen anderen Typ.',
  actionsFor: (name) => `Aktionen für ${name}`,
  duplicated: 'Vorlage dupliziert.',
  deleted: 'Vorlage gelöscht.',
  delete: { title: 'Diese Vorlage löschen?', action: 'Vorlage löschen' },
  deleteEffect:
    'API-Anfragen, die diese Vorlage verwenden, schlagen dann fehl. Eine Vorlage, die ein Workflow oder eine nicht abgeschlossene Kampagne verwendet, kann nicht gelöscht werden.',
  openGallery: 'Galerie ansehen',
  openLayouts: 'Layouts und gespeicherte Blöcke',
  gallery: {
    title: 'Vorlagengalerie',
    lead: 'Beginnen Sie mit einer fertigen E-Mail. Sie verwendet Logo, Farben und Anschrift Ihres Projekts.',
    category: 'Kategorie',
    all: 'Alle Vorlagen',
    blank: 'Ohne Vorlage beginnen',
    use: 'Vorlage verwenden',
    previewNamed: (name) => `Vorschau von ${name}`,
    useNamed: (name) => `Vorlage verwenden: ${name}`,
    noSender:
      'Sie haben noch keine Domain verifiziert. Sie können eine Vorlage jetzt bearbeiten, brauchen zum Speichern aber eine Absenderadresse.',
    categories: {
      Onboarding: 'Onboarding',
      Account: 'Konto',
      Orders: 'Bestellungen und Zahlungen',
      Lifecycle: 'Lifecycle',
      Newsletters: 'Newsletter und Ankündigungen',
    },
  },
  layouts: {
    title: 'Layouts und gespeicherte Blöcke',
    lead: 'Kopfzeilen, Fußzeilen und Blöcke, die Sie in mehreren E-Mails verwenden.',
    layouts: 'Layouts',
    layoutsLead:
      'Eine Kopf- und eine Fußzeile für mehrere E-Mails. Änderungen gelten für jede E-Mail, die das Layout verwendet.',
    layout: 'Layout',
    name: 'Name',
    emails: 'Verwendet in',
    usedIn: (emails) =>
      emails === 0 ? 'Noch keine E-Mails' : formatCount(emails, { one: 'E-Mail', other: 'E-Mails' }),
    updatedAt: 'Aktualisiert <when/>',
    updated: 'Aktualisiert',
    create: 'Layout erstellen',
    createLead:
      'Ein Layout besteht aus einer Kopf- und einer Fußzeile. Wenn Sie es ändern, wird jede E-Mail aktualisiert, die es verwendet.',
    editLead:
      'Beim Speichern wird jede Vorlage und jede nicht gesendete Kampagne aktualisiert, die dieses Layout verwendet.',
    unusedLead: 'Noch keine E-Mail verwendet dieses Layout. Wählen Sie es in den Einstellungen einer E-Mail.',
    usedLead: (emails) =>
      `Beim Speichern ${pickPlural(emails, {
        one: 'wird 1 Vorlage oder nicht gesendete Kampagne aktualisiert, die dieses Layout verwendet',
        other: `werden ${formatNumber(emails)} Vorlagen und nicht gesendete Kampagnen aktualisiert, die dieses Layout verwenden`,
      })}.`,
    save: 'Layout speichern',
    savedDone: 'Layout gespeichert. Die E-Mails, die es verwenden, werden aktualisiert.',
    part: 'Teil des Layouts',
    header: 'Kopfzeile',
    footer: 'Fußzeile',
    content: 'Der Inhalt der E-Mail',
    editPart: (part) => `${part} bearbeiten`,
    emptyTitle: 'Noch keine Layouts',
    empty:
      'Ein Layout besteht aus einer Kopf- und einer Fußzeile, die mehrere E-Mails gemeinsam haben. Ändern Sie es einmal, um alle zu aktualisieren.',
    deleted: 'Layout gelöscht.',
    delete: { title: 'Dieses Layout löschen?', action: 'Layout löschen' },
    deleteEffect: (emails) =>
      emails === 0
        ? 'Keine E-Mail verwendet dieses Layout.'
        : pickPlural(emails, {
            one: '1 E-Mail verwendet dieses Layout. Wählen Sie zuerst ein anderes für sie.',
            other: `${formatNumber(emails)} E-Mails verwenden dieses Layout. Wählen Sie zuerst ein anderes für sie.`,
          }),
    saved: 'Gespeicherte Blöcke',
    savedLead:
      'Um einen Block zu speichern, wählen Sie ihn im Editor aus und klicken Sie auf das Lesezeichen. Jede E-Mail erhält eine eigene Kopie.',
    savedEmptyTitle: 'Noch keine gespeicherten Blöcke',
    savedEmpty:
      'Wählen Sie im Editor einen Block aus und speichern Sie ihn. Dann können Sie eine Kopie in andere E-Mails einfügen.',
    rename: 'Umbenennen',
    renameTitle: 'Gespeicherten Block umbenennen',
    saveName: 'Namen speichern',
    renamed: 'Gespeicherter Block umbenannt.',
    savedDeleted: 'Gespeicherter Block gelöscht.',
    deleteSaved: { title: 'Diesen gespeicherten Block löschen?', action: 'Block löschen' },
    deleteSavedEffect: 'E-Mails, die eine Kopie enthalten, behalten sie.',
  },
  editor: {
    title: 'Vorlage',
    createTitle: 'Vorlage erstellen',
    save: 'Vorlage speichern',
    saved: 'Vorlage gespeichert.',
    testContact: 'Personalisieren für',
    test: 'Sendet den aktuellen Inhalt mit nicht gespeicherten Änderungen, als E-Mail des gewählten Typs. Test-E-Mails legen keinen Kontakt an und zählen nicht in der Statistik.',
  },
  fields: {
    noSender: 'Kein Absender',
    details: 'Absender und Typ',
    editDetails: 'Bearbeiten',
    hideDetails: 'Ausblenden',
    name: 'Name',
    namePlaceholder: 'Nur für Ihr Team sichtbar',
    type: 'Typ',
    subject: 'Betreff',
    subjectPlaceholder: 'Hallo {{name ?? "und willkommen"}}',
    preheader: 'Preheader',
    preheaderPlaceholder: 'Steht im Postfach nach dem Betreff',
    from: 'Absender',
    fromPlaceholder: 'hello@your-domain.com',
    fromName: 'Absendername',
    replyTo: 'Antwortadresse',
    replyToPlaceholder: 'Wie Absender',
    text: 'Nur-Text',
    textHint:
      'Für E-Mail-Programme, die kein HTML anzeigen. Lassen Sie das Feld leer, um den Text aus dem HTML zu erzeugen.',
    typeHints: {
      MARKETING:
        'Marketing-E-Mails werden nur an Kontakte mit Abonnement gesendet und enthalten eine Fußzeile mit Abmeldelink.',
      TRANSACTIONAL:
        'Transaktions-E-Mails, zum Beispiel Quittungen und Links zum Zurücksetzen des Passworts, werden an jeden Kontakt gesendet und haben keine Fußzeile.',
      HEADLESS:
        'Headless-E-Mails haben keine Fußzeile. Fügen Sie mit {{unsubscribeUrl}} einen eigenen Abmeldelink ein.',
    },
  },
  preview: {
    label: 'Vorschau',
    contact: 'Vorschau als',
    subject: 'Betreff',
    preheader: 'Preheader',
    noSubject: '(kein Betreff)',
    missing: 'Fehlende Felder',
    frame: 'Vorschau der E-Mail',
  },
}
