/** German texts of the segment pages. */

import { formatCount, formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/segments/texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

const types = { DYNAMIC: 'Dynamisch', STATIC: 'Statisch' }

export const segments: Translation<typeof english.texts> = {
  title: 'Segmente',
  lead: 'Gruppieren Sie Kontakte nach Bedingungen oder wählen Sie sie einzeln aus. Segmente dienen als Zielgruppen von Kampagnen.',
  create: 'Segment erstellen',
  column: { name: 'Name', type: 'Typ', contacts: 'Kontakte', share: 'Anteil', updated: 'Aktualisiert' },
  types,
  tracked: 'Erfasst Ein- und Austritte',
  search: 'Segmente durchsuchen',
  noMatchTitle: 'Keine passenden Segmente',
  noMatch: 'Versuchen Sie eine andere Suche.',
  emptyTitle: 'Noch keine Segmente',
  empty:
    'Ein Segment ist eine Gruppe von Kontakten, zum Beispiel Abonnenten mit dem Pro-Tarif. Dynamische Segmente aktualisieren sich automatisch. Verwenden Sie Segmente als Zielgruppen von Kampagnen und als Auslöser von Workflows.',
  one: {
    title: 'Segment',
    contacts: 'Kontakte',
    edit: 'Segment bearbeiten',
    recalculate: 'Jetzt neu berechnen',
    recalculated: (entered, left) =>
      `Segment neu berechnet: ${formatNumber(entered)} eingetreten, ${formatNumber(left)} ausgetreten.`,
    createCampaign: 'Kampagne erstellen',
    deleted: 'Segment gelöscht.',
    delete: { title: 'Dieses Segment löschen?', action: 'Segment löschen' },
    deleteEffect: (contacts) =>
      `Das Segment wird gelöscht, ${pickPlural(contacts, { one: 'sein Kontakt bleibt', other: `seine ${shared.contacts(contacts)} bleiben` })} erhalten. Ein Segment, das eine geplante oder laufende Kampagne verwendet, kann nicht gelöscht werden.`,
    members: {
      lead: 'Kontakte, die derzeit passen:',
      label: 'Kontakte in diesem Segment',
      column: { email: 'E-Mail', name: 'Name', status: 'Status', added: 'Kontakt hinzugefügt' },
      remove: (email) => `${email} entfernen`,
      removed: (email) => `${email} aus dem Segment entfernt.`,
      emptyTitle: 'Keine Kontakte',
      emptyStatic: 'Fügen Sie Kontakte über ihre E-Mail-Adresse hinzu.',
      emptyDynamic: 'Kein Kontakt erfüllt die Bedingung.',
    },
  },
  share: (share) => `${share} aller Kontakte`,
  size: {
    title: 'Größe im Zeitverlauf',
    lead: 'Einmal am Tag erfasst.',
    range: 'Zeitraum',
    ranges: { '30': 'Letzte 30 Tage', '90': 'Letzte 90 Tage', '365': 'Letzte 365 Tage' },
    showTable: 'Als Tabelle anzeigen',
    showChart: 'Als Diagramm anzeigen',
    day: 'Tag',
    contacts: 'Kontakte',
    share: 'Anteil an allen Kontakten',
    empty: 'Das Diagramm zeigt, wie das Segment wächst. Es erscheint, sobald die Größe von zwei Tagen erfasst ist.',
  },
  addMembers: {
    title: 'Kontakte hinzufügen',
    lead: 'Fügen Sie bis zu 500 Kontakte auf einmal hinzu.',
    addresses: 'E-Mail-Adressen',
    addressesHint: 'Trennen Sie Adressen durch Kommas oder Zeilenumbrüche.',
    createMissing: 'Kontakte für Adressen anlegen, die es noch nicht gibt',
    notFound: (count) =>
      pickPlural(count, {
        one: 'Diese Adresse ist noch kein Kontakt und wurde daher nicht hinzugefügt.',
        other: 'Diese Adressen sind noch keine Kontakte und wurden daher nicht hinzugefügt.',
      }),
    submit: (count) => (count === 0 ? 'Kontakte hinzufügen' : `${shared.contacts(count)} hinzufügen`),
    added: (added, created) =>
      created > 0
        ? `${shared.contacts(added)} hinzugefügt, davon ${formatCount(created, { one: 'neuer Kontakt', other: 'neue Kontakte' })}.`
        : `${shared.contacts(added)} hinzugefügt.`,
  },
  editor: {
    createTitle: 'Segment erstellen',
    editTitle: 'Segment bearbeiten',
    save: 'Segment speichern',
    saved: 'Segment gespeichert.',
    name: 'Name',
    type: 'Typ',
    types: {
      DYNAMIC: {
        title: types.DYNAMIC,
        hint: 'Kontakte, die eine Bedingung erfüllen. Aktualisiert sich automatisch.',
      },
      STATIC: { title: types.STATIC, hint: 'Kontakte, die Sie selbst hinzufügen und entfernen.' },
    },
    description: 'Beschreibung',
    trackMembership: 'Ereignis erfassen, wenn ein Kontakt eintritt oder austritt',
    trackMembershipHint: 'Workflows können mit diesen Ereignissen starten, und die Zeitachse jedes Kontakts zeigt sie.',
    namePlaceholder: 'Kunden mit dem Pro-Tarif',
    condition: 'Bedingung',
    staticHint: 'Speichern Sie das Segment und fügen Sie dann Kontakte über ihre E-Mail-Adresse hinzu.',
  },
  preview: {
    label: 'Passende Kontakte',
    incomplete: 'Vervollständigen Sie alle Filter, um passende Kontakte zu sehen.',
    matching: (count) => pickPlural(count, { one: 'Kontakt passt derzeit', other: 'Kontakte passen derzeit' }),
    notSubscribed: 'Nicht abonniert',
    more: (count) => `und ${pickPlural(count, { one: '1 weiterer', other: `${formatNumber(count)} weitere` })}`,
  },
}
