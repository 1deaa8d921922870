/** German texts for changes that two people make at the same time. */

import { formatList, formatNumber } from '../../../figures/format.ts'
import type * as english from '../../../saving/texts.ts'
import type { Translation } from '../../translation.ts'

export const conflict: Translation<typeof english.conflictTexts> = {
  title: 'Jemand anderes hat auch gespeichert',
  titleSelf: 'Sie haben auch in einem anderen Fenster gespeichert',
  savedBy: 'Gespeichert von <who/> <when/>, nachdem Sie die Seite geöffnet hatten.',
  savedBySelf: 'Von Ihnen gespeichert <when/>, nachdem Sie die Seite hier geöffnet hatten.',
  savedBySomeone: 'Gespeichert <when/>, nachdem Sie die Seite geöffnet hatten.',
  both: (count) =>
    count === 1
      ? 'Ein Feld wurde dort und hier geändert. Wählen Sie, was bleiben soll.'
      : `${formatNumber(count)} Felder wurden dort und hier geändert. Wählen Sie, was bleiben soll.`,
  taken: (fields) => `Die anderen Änderungen bleiben ebenfalls erhalten: ${formatList(fields)}.`,
  theirs: 'Andere Fassung',
  otherWindow: 'Anderes Fenster',
  mine: 'Ihre Fassung',
  thisWindow: 'Dieses Fenster',
  empty: '(leer)',
  keepEditing: 'Weiter bearbeiten',
  useTheirs: 'Andere verwenden',
  useOther: 'Andere verwenden',
  saveMine: 'Meine speichern',
  merge: 'Auswahl speichern',
  tookTheirs: 'Sie sehen jetzt den gespeicherten Stand. Ihre Änderungen wurden verworfen.',
  mergedWith: (name, fields) =>
    `Ihre Änderungen wurden zusammen mit ${name ? `denen von ${name}` : 'den zuvor gespeicherten'} gespeichert: ${formatList(fields)}.`,
}

export const editing: Translation<typeof english.editingTexts> = {
  otherTab: 'Sie bearbeiten dies auch in einem anderen Tab',
  others: (emails) =>
    emails.length === 1
      ? `${emails[0]} bearbeitet dies gerade auch`
      : `${formatList(emails)} bearbeiten dies gerade auch`,
}
