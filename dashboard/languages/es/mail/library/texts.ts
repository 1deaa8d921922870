/** Spanish texts of the image library that are about one image, its folder and its crop. */
import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../mail/library/texts.ts'
import type { Translation } from '../../../translation.ts'

const images = (count: number) => formatCount(count, { one: 'imagen', other: 'imágenes' })

export const image: Translation<typeof english.imageTexts> = {
  search: 'Buscar por nombre',
  folder: 'Carpeta',
  allFolders: 'Todas las imágenes',
  noFolder: 'Sin carpeta',
  images,
  upload: 'Subir imagen',
  emptyTitle: 'Aún no hay imágenes',
  empty: 'Las imágenes que subes se guardan aquí para que puedas usarlas en cualquier correo.',
  foldersHint:
    'Mantén juntas las imágenes relacionadas: selecciónalas y muévelas a una carpeta, como «Logos» o «Rebajas de primavera».',
  showMore: 'Mostrar más imágenes',
  select: (name) => `Seleccionar ${name}`,
  selected: (count) => formatCount(count, { one: 'seleccionada', other: 'seleccionadas' }),
  clear: 'Borrar selección',
  move: 'Mover a una carpeta',
  moveTitle: (count) => `Mover ${images(count)}`,
  moveHint: 'Elige una carpeta o escribe el nombre de una nueva. Déjalo vacío para sacar las imágenes de sus carpetas.',
  moveAction: 'Mover imágenes',
  moved: (count) => formatCount(count, { one: 'imagen movida.', other: 'imágenes movidas.' }),
  back: 'Volver a la biblioteca',
  name: 'Nombre',
  folderHint: 'Elige una carpeta o escribe el nombre de una nueva.',
  alt: 'Texto alternativo',
  altHint: 'Se guarda con la imagen y se propone cada vez que la insertas.',
  save: 'Guardar detalles',
  saved: 'Detalles guardados.',
  use: 'Insertar imagen',
  useCropped: 'Insertar imagen recortada',
  cropped: 'recortada',
  crop: 'Recortar',
  cropHint:
    'Arrastra el marco o sus controles, o selecciona uno y usa las teclas de flecha; con Mayús, los pasos son más grandes. El recorte se convierte en una imagen nueva; esta se conserva.',
  cropStill: 'El recorte de una animación es una imagen fija.',
  resetCrop: 'Restablecer recorte',
  frame: (width, height) => `Marco, ${formatNumber(width)} × ${formatNumber(height)} píxeles`,
  handles: {
    nw: 'Esquina superior izquierda',
    n: 'Borde superior',
    ne: 'Esquina superior derecha',
    e: 'Borde derecho',
    se: 'Esquina inferior derecha',
    s: 'Borde inferior',
    sw: 'Esquina inferior izquierda',
    w: 'Borde izquierdo',
  },
  cropFailed:
    'No se pudo recortar la imagen en este navegador. Inserta la imagen completa o recórtala con otro programa.',
  delete: 'Eliminar imagen',
  deleteTitle: (name) => `¿Eliminar «${name}»?`,
  deleteEffect:
    'Los correos que la contienen dejarán de mostrarla, incluidos los que ya se enviaron: quien abra uno verá en su lugar el texto alternativo. Esta acción no se puede deshacer.',
  deleted: 'Imagen eliminada.',
  checkingUses: 'Comprobando dónde se usa la imagen…',
  unused: 'No la usa ninguna plantilla, campaña, estructura ni bloque guardado, ni tampoco la marca.',
  usedIn: 'Se usa en:',
  moreUses: (count) => `y ${formatNumber(count)} más`,
  uses: {
    template: (name) => `${name} (plantilla)`,
    campaign: (name) => `${name} (campaña)`,
    layout: (name) => `${name} (estructura)`,
    'saved-blocks': (name) => `${name} (bloques guardados)`,
    branding: () => 'Marca del proyecto',
  },
}
