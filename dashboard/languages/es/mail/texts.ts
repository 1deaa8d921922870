/** Spanish texts of the checks of an email, of the postal address and of the image library. */
import { formatCount, formatNumber } from '../../../figures/format.ts'
import type * as english from '../../../mail/texts.ts'
import type { Translation } from '../../translation.ts'

export const check: Translation<typeof english.checkTexts> = {
  title: 'Comprobaciones',
  running: 'Comprobando…',
  notWritten: 'Escribe un asunto para comprobar los enlaces, las imágenes, el texto y el HTML de este correo.',
  failed: 'No se pudo comprobar',
  none: 'Sin problemas',
  passed: 'Comprobaciones superadas',
  allPassed: 'Se superaron todas las comprobaciones.',
  areas: {
    subject: 'Asunto',
    preheader: 'Preencabezado',
    links: 'Enlaces',
    images: 'Imágenes y su texto alternativo',
    wording: 'Texto y redacción',
    variables: 'Variables',
    unsubscribe: 'Enlace de baja',
    address: 'Dirección postal',
    contrast: 'Contraste del texto',
    clients: 'Compatibilidad con programas de correo',
    size: 'Tamaño del correo',
  },
  counts: {
    error: (count) => formatCount(count, { one: 'error', other: 'errores' }),
    warning: (count) => formatCount(count, { one: 'advertencia', other: 'advertencias' }),
    info: (count) => formatCount(count, { one: 'nota', other: 'notas' }),
  },
  severities: { error: 'Error', warning: 'Advertencia', info: 'Nota' },
  sample: (contacts) => `Según una muestra de ${formatNumber(contacts)} destinatarios.`,
  variant: (name) => `Variante ${name}: `,
  showBlock: 'Mostrar bloque',
  where: (field, line) => {
    if (line !== undefined) return `Línea ${formatNumber(line)}.`
    return { subject: 'En el asunto.', preheader: 'En el preencabezado.' }[field ?? ''] ?? ''
  },
}

export const address: Translation<typeof english.addressTexts> = {
  title: '¿Dónde está tu dirección postal?',
  lead: 'Muchos países la exigen en los correos de marketing. Introdúcela una vez para todos los correos del proyecto o indica que tus correos ya la contienen.',
  askAdmin:
    'Muchos países la exigen en los correos de marketing. Pide a un administrador del proyecto que la introduzca en Ajustes, Marca.',
  address: 'Dirección postal',
  placeholder: 'Empresa, calle, ciudad, país',
  save: 'Mostrarla en el pie',
  inContent: 'Mis correos la contienen',
}

export const library: Translation<typeof english.imageLibraryTexts> = {
  open: 'Elegir de la biblioteca',
  title: 'Biblioteca de imágenes',
  noMatch: 'Ninguna imagen coincide.',
  size: (width, height) => `${formatNumber(width)} × ${formatNumber(height)}`,
  more: (shown) => `Se muestran las ${formatNumber(shown)} más recientes. Busca para encontrar otras.`,
}
