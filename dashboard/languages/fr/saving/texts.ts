/** French texts for changes that two people make at the same time. */

import { formatCount, formatList } from '../../../figures/format.ts'
import type * as english from '../../../saving/texts.ts'
import type { Translation } from '../../translation.ts'

export const conflict: Translation<typeof english.conflictTexts> = {
  title: 'Quelqu’un d’autre vient aussi d’enregistrer',
  titleSelf: 'Vous avez aussi enregistré dans une autre fenêtre',
  savedBy: '<who/> a enregistré après que vous avez ouvert cette page (<when/>).',
  savedBySelf: 'Vous avez enregistré après avoir ouvert cette page ici (<when/>).',
  savedBySomeone: 'Un enregistrement a eu lieu après que vous avez ouvert cette page (<when/>).',
  both: (count) =>
    `${formatCount(count, { one: 'champ a été modifié', other: 'champs ont été modifiés' })} des deux côtés. Choisissez ce qu’il faut garder.`,
  taken: (fields) => `Les autres modifications sont également conservées : ${formatList(fields)}.`,
  theirs: 'Sa version',
  otherWindow: 'L’autre fenêtre',
  mine: 'Votre version',
  thisWindow: 'Cette fenêtre',
  empty: '(vide)',
  keepEditing: 'Continuer à modifier',
  useTheirs: 'Prendre sa version',
  useOther: 'Prendre l’autre',
  saveMine: 'Écraser avec la mienne',
  merge: 'Enregistrer mes choix',
  tookTheirs: 'Vous voyez la version enregistrée. Vos modifications ont été abandonnées.',
  mergedWith: (name, fields) =>
    `Vos modifications ont été enregistrées avec celles ${name ? `de ${name}` : 'qui l’étaient déjà'} : ${formatList(fields)}.`,
}

export const editing: Translation<typeof english.editingTexts> = {
  otherTab: 'Vous modifiez aussi cet élément dans un autre onglet',
  others: (emails) =>
    emails.length === 1
      ? `${emails[0]} modifie aussi cet élément`
      : `${formatList(emails)} modifient aussi cet élément`,
}
