/** German texts of the page that creates a project. */
import type * as english from '../../../../pages/projects/texts.ts'
import type { Translation } from '../../../translation.ts'

export const projects: Translation<typeof english.texts> = {
  title: 'Projekt erstellen',
  lead: 'Jedes Projekt hat eigene Kontakte, Vorlagen, Domains und API-Schlüssel. Die meisten Teams erstellen eines pro Produkt.',
  back: 'Zurück',
  name: 'Name',
  namePlaceholder: 'Mein Produkt',
  submit: 'Projekt erstellen',
  readyTitle: (name) => `${name} ist bereit`,
  readyLead: 'Speichern Sie den geheimen Schlüssel jetzt. Sie können ihn später nicht mehr ansehen.',
  secretKey: 'Geheimer Schlüssel (für Ihre Server)',
  copySecretKey: 'Geheimen Schlüssel kopieren',
  publicKey: 'Öffentlicher Schlüssel (zum Erfassen von Ereignissen in Browsern und Apps)',
  copyPublicKey: 'Öffentlichen Schlüssel kopieren',
  open: 'Projekt öffnen',
}
