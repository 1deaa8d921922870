/** French texts of the image library that are about one image, its folder and its crop. */

import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../mail/library/texts.ts'
import type { Translation } from '../../../translation.ts'

const IMAGES = { one: 'image', other: 'images' }

export const image: Translation<typeof english.imageTexts> = {
  search: 'Rechercher par nom',
  folder: 'Dossier',
  allFolders: 'Toutes les images',
  noFolder: 'Hors dossier',
  images: (count) => formatCount(count, IMAGES),
  upload: 'Importer une image',
  emptyTitle: 'Aucune image',
  empty: 'Les images que vous importez sont conservées ici, pour servir dans n’importe quel e-mail.',
  foldersHint:
    'Regroupez les images liées : sélectionnez-les et déplacez-les dans un dossier, comme « Logos » ou « Soldes d’été ».',
  showMore: 'Afficher plus d’images',
  select: (name) => `Sélectionner ${name}`,
  selected: (count) => formatCount(count, { one: 'sélectionnée', other: 'sélectionnées' }),
  clear: 'Effacer la sélection',
  move: 'Déplacer vers un dossier',
  moveTitle: (count) => `Déplacer ${formatCount(count, IMAGES)}`,
  moveHint:
    'Choisissez un dossier ou saisissez le nom d’un nouveau. Laissez vide pour sortir les images de leurs dossiers.',
  moveAction: 'Déplacer les images',
  moved: (count) => `${formatCount(count, { one: 'image déplacée', other: 'images déplacées' })}.`,
  back: 'Retour à la bibliothèque',
  name: 'Nom',
  folderHint: 'Choisissez un dossier ou saisissez le nom d’un nouveau.',
  alt: 'Texte alternatif',
  altHint: 'Enregistré avec l’image et proposé à chaque insertion.',
  save: 'Enregistrer les détails',
  saved: 'Détails enregistrés.',
  use: 'Insérer l’image',
  useCropped: 'Insérer l’image recadrée',
  cropped: 'recadrée',
  crop: 'Recadrer',
  cropHint:
    'Faites glisser le cadre ou ses poignées, ou placez le focus sur l’un d’eux et utilisez les touches fléchées ; avec Maj, les pas sont plus grands. Le recadrage devient une nouvelle image ; celle-ci reste.',
  cropStill: 'Le recadrage d’une animation est une image fixe.',
  resetCrop: 'Réinitialiser le recadrage',
  frame: (width, height) => `Cadre, ${formatNumber(width)} × ${formatNumber(height)} pixels`,
  handles: {
    nw: 'Angle supérieur gauche',
    n: 'Bord supérieur',
    ne: 'Angle supérieur droit',
    e: 'Bord droit',
    se: 'Angle inférieur droit',
    s: 'Bord inférieur',
    sw: 'Angle inférieur gauche',
    w: 'Bord gauche',
  },
  cropFailed:
    'L’image n’a pas pu être recadrée dans ce navigateur. Insérez l’image entière ou recadrez-la avec un autre programme.',
  delete: 'Supprimer l’image',
  deleteTitle: (name) => `Supprimer « ${name} » ?`,
  deleteEffect:
    'Les e-mails qui la contiennent ne l’affichent plus, même ceux déjà envoyés : les destinataires qui en ouvrent un voient son texte alternatif à la place. Cette action est irréversible.',
  deleted: 'Image supprimée.',
  checkingUses: 'Recherche des utilisations de l’image…',
  unused: 'Elle n’est utilisée dans aucun modèle, campagne, mise en page, bloc enregistré ni identité visuelle.',
  usedIn: 'Elle est utilisée dans :',
  moreUses: (count) => `et ${formatNumber(count)} de plus`,
  uses: {
    template: (name) => `${name} (modèle)`,
    campaign: (name) => `${name} (campagne)`,
    layout: (name) => `${name} (mise en page)`,
    'saved-blocks': (name) => `${name} (blocs enregistrés)`,
    branding: (_name) => 'Identité visuelle du projet',
  },
}
