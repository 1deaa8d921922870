/** French texts of the version history of templates and campaigns. */

import { formatCount } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/versions/texts.ts'
import type { Translation } from '../../../translation.ts'

export const versions: Translation<typeof english.texts> = {
  title: 'Versions',
  lead: 'Chaque modification de l’objet, du préheader, du texte ou du corps est enregistrée. Sélectionnez une version pour la comparer à l’actuelle.',
  leadFirst:
    'Chaque modification de l’objet, du préheader ou du corps est enregistrée comme version. Dès qu’il y en a deux, vous pouvez les comparer et les restaurer ici.',
  list: 'Versions, de la plus récente à la plus ancienne',
  version: (number) => `Version ${number}`,
  saved: '<version/>, enregistrée le <at/>',
  savedByApi: '<version/>, enregistrée le <at/> par l’API',
  savedBy: '<version/>, enregistrée le <at/> par <who/>',
  current: 'Actuelle',
  key: 'Par l’API',
  system: 'Enregistrée avant l’historique des versions',
  formerMember: 'Ancien membre',
  compare: 'Comparaison avec la version actuelle',
  from: (number, current) => `De la version ${number} à la version ${current} (actuelle)`,
  text: 'Texte',
  html: 'HTML',
  preview: (number) => `Aperçu de la version ${number}`,
  subject: 'Objet',
  preheader: 'Préheader',
  plainText: 'Texte brut',
  unchanged: 'Aucune différence.',
  added: 'Seulement dans la version actuelle :',
  removed: 'Seulement dans cette version :',
  more: (count) => `Afficher ${formatCount(count, { one: 'ligne inchangée', other: 'lignes inchangées' })}`,
  name: 'Nom de la version (facultatif)',
  namePlaceholder: 'Validée par le service juridique',
  saveName: 'Enregistrer le nom',
  nameSaved: 'Nom enregistré.',
  restore: (number) => `Restaurer la version ${number}`,
  restored: (number) => `Version ${number} restaurée.`,
  restoreTitle: (number) => `Restaurer la version ${number} ?`,
  restoreEffect:
    'L’objet, le préheader et le corps sont remplacés par ceux de cette version. Le contenu actuel est conservé comme version.',
  unsavedLost: 'Vos modifications non enregistrées seront perdues.',
}
