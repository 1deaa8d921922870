/** German texts of the image library that are about one image, its folder and its crop. */

import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../mail/library/texts.ts'
import type { Translation } from '../../../translation.ts'

const images = (count: number) => formatCount(count, { one: 'Bild', other: 'Bilder' })

export const image: Translation<typeof english.imageTexts> = {
  search: 'Nach Namen suchen',
  folder: 'Ordner',
  allFolders: 'Alle Bilder',
  noFolder: 'In keinem Ordner',
  images,
  upload: 'Bild hochladen',
  emptyTitle: 'Noch keine Bilder',
  empty: 'Hier finden Sie die Bilder, die Sie hochladen, und können sie in jeder E-Mail verwenden.',
  foldersHint:
    'Halten Sie zusammengehörige Bilder beisammen: Wählen Sie sie aus und verschieben Sie sie in einen Ordner, zum Beispiel „Logos“ oder „Frühlingsaktion“.',
  showMore: 'Weitere Bilder anzeigen',
  select: (name) => `${name} auswählen`,
  selected: (count) => `${formatNumber(count)} ausgewählt`,
  clear: 'Auswahl aufheben',
  move: 'In Ordner verschieben',
  moveTitle: (count) => `${images(count)} verschieben`,
  moveHint:
    'Wählen Sie einen Ordner oder geben Sie den Namen eines neuen ein. Lassen Sie das Feld leer, um die Bilder aus ihren Ordnern zu nehmen.',
  moveAction: 'Bilder verschieben',
  moved: (count) => `${images(count)} verschoben.`,
  back: 'Zurück zur Bibliothek',
  name: 'Name',
  folderHint: 'Wählen Sie einen Ordner oder geben Sie den Namen eines neuen ein.',
  alt: 'Alternativtext',
  altHint: 'Wird mit dem Bild gespeichert und bei jedem Einfügen vorgeschlagen.',
  save: 'Angaben speichern',
  saved: 'Angaben gespeichert.',
  use: 'Bild einfügen',
  useCropped: 'Zugeschnittenes Bild einfügen',
  cropped: 'zugeschnitten',
  crop: 'Zuschneiden',
  cropHint:
    'Ziehen Sie den Rahmen oder seine Griffe, oder setzen Sie den Fokus auf einen davon und verwenden Sie die Pfeiltasten; mit Umschalt sind die Schritte größer. Der Zuschnitt wird ein neues Bild, dieses bleibt erhalten.',
  cropStill: 'Der Zuschnitt einer Animation ist ein Standbild.',
  resetCrop: 'Zuschnitt zurücksetzen',
  frame: (width, height) => `Rahmen, ${formatNumber(width)} × ${formatNumber(height)} Pixel`,
  handles: {
    nw: 'Ecke oben links',
    n: 'Oberer Rand',
    ne: 'Ecke oben rechts',
    e: 'Rechter Rand',
    se: 'Ecke unten rechts',
    s: 'Unterer Rand',
    sw: 'Ecke unten links',
    w: 'Linker Rand',
  },
  cropFailed:
    'Das Bild konnte in diesem Browser nicht zugeschnitten werden. Fügen Sie das ganze Bild ein oder schneiden Sie es mit einem anderen Programm zu.',
  delete: 'Bild löschen',
  deleteTitle: (name) => `„${name}“ löschen?`,
  deleteEffect:
    'E-Mails, die es enthalten, zeigen es nicht mehr an, auch bereits gesendete: Wer eine davon öffnet, sieht stattdessen den Alternativtext. Das lässt sich nicht rückgängig machen.',
  deleted: 'Bild gelöscht.',
  checkingUses: 'Prüfen, wo das Bild verwendet wird …',
  unused:
    'Es wird in keiner Vorlage, keiner Kampagne, keinem Layout, keinem gespeicherten Block und keinem Branding verwendet.',
  usedIn: 'Es wird verwendet in:',
  moreUses: (count) => `und ${formatNumber(count)} weitere`,
  uses: {
    template: (name) => `${name} (Vorlage)`,
    campaign: (name) => `${name} (Kampagne)`,
    layout: (name) => `${name} (Layout)`,
    'saved-blocks': (name) => `${name} (gespeicherte Blöcke)`,
    branding: () => 'Branding des Projekts',
  },
}
