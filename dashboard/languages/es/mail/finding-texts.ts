/** Spanish texts of what the checks of an email find, by code: what is wrong, and how to fix it. */

import type { FindingTexts } from '../../../mail/finding-texts.ts'

export const finding: FindingTexts = {
  'check.stopped': {
    problem: 'La comprobación tardó demasiado y se detuvo.',
    fix: 'Acorta el correo o usa menos elementos.',
  },
  'audience.empty': { problem: 'Ningún contacto de esta audiencia recibiría el correo.', fix: 'Elige otra audiencia.' },
  'variable.missing': {
    problem: 'A algunos destinatarios les falta un valor',
    fix: 'Añade un valor alternativo o muestra el texto solo si hay un valor.',
  },
  'variable.unknown': {
    problem: 'Ningún contacto tiene este campo',
    fix: 'Revisa el nombre, añade un valor alternativo o envía el valor en `data` con cada correo.',
  },
  'client.unsupported': {
    problem: 'Algunos programas de correo no admiten este elemento',
    fix: 'Sustitúyelo por algo más sencillo, por ejemplo una tabla, una imagen o un enlace.',
  },
  'contrast.low': {
    problem: 'Un texto destaca muy poco sobre el fondo',
    fix: 'Elige un color más oscuro o más claro.',
  },
  'image.alt': {
    problem: 'Una imagen no tiene texto alternativo',
    fix: 'Describe la imagen en su texto alternativo o márcala como decorativa.',
  },
  'text.sample': {
    problem: 'Un texto de la galería está sin cambiar',
    fix: 'Sustituye el texto de ejemplo por el tuyo o quita el bloque.',
  },
  'link.empty': { problem: 'Un enlace no tiene URL.', fix: 'Escribe la URL de una página o quita el enlace.' },
  'link.unsafe': {
    problem: 'Un enlace ejecuta código o abre un archivo local. Los programas de correo lo bloquean',
    fix: 'Usa una URL que empiece por https://.',
  },
  'link.relative': {
    problem: 'Un enlace no tiene dominio, así que no funciona en un correo',
    fix: 'Usa la URL completa, que empieza por https://.',
  },
  'link.broken': { problem: 'Una URL no es válida', fix: 'Comprueba que la URL no tenga erratas.' },
  'link.example': { problem: 'Un enlace lleva a un dominio de ejemplo', fix: 'Escribe la URL de tu propia página.' },
  'link.private': {
    problem: 'Un enlace lleva a una dirección privada, que los destinatarios no pueden abrir',
    fix: 'Usa la URL pública de la página.',
  },
  'link.insecure': {
    problem: 'Un enlace no está cifrado. Los navegadores advierten sobre esas páginas',
    fix: 'Usa https:// en lugar de http://.',
  },
  'image.empty': { problem: 'Una imagen no tiene URL.', fix: 'Elige una imagen o quítala.' },
  'image.embedded': {
    problem: 'Una imagen está incrustada como URL data:, que Gmail no muestra.',
    fix: 'Sube la imagen y usa su URL.',
  },
  'image.broken': {
    problem: 'Una imagen no tiene una URL válida',
    fix: 'Usa la URL completa, que empieza por https://.',
  },
  'image.private': {
    problem: 'Una imagen está en una dirección privada, así que los destinatarios no la ven',
    fix: 'Sube la imagen y usa su URL.',
  },
  'image.insecure': {
    problem: 'Una imagen no está cifrada, así que algunos programas de correo no la muestran',
    fix: 'Usa https:// en lugar de http://.',
  },
  'image.large': {
    problem: 'Una imagen pesa tanto que carga despacio en los móviles',
    fix: 'Usa una imagen más pequeña o más comprimida.',
  },
  'unsubscribe.missing': {
    problem:
      'El correo no tiene enlace de baja. Los correos headless no llevan pie y los correos de marketing exigen un enlace.',
    fix: 'Añade un enlace a {{unsubscribeUrl}} o usa el tipo «Marketing».',
  },
  'address.missing': {
    problem: 'Falta la dirección postal, que muchos países exigen en los correos de marketing.',
    fix: 'Escribe la dirección en los ajustes de marca, o indica allí que tus correos la contienen.',
  },
  'spam.phrase': {
    problem: 'Los filtros de spam buscan esta expresión',
    fix: 'Usa otras palabras. Estas expresiones aumentan la puntuación de spam de un correo.',
  },
  'body.empty': { problem: 'El correo está vacío.', fix: 'Añade contenido.' },
  'text.little': {
    problem:
      'El correo tiene muy poco texto. Los filtros de spam suelen rechazar los correos hechos solo de imágenes y, si se bloquean las imágenes, no se ve nada.',
    fix: 'Escribe lo importante como texto.',
  },
  'size.clipped': {
    problem: 'El HTML es tan largo que Gmail corta el final del correo.',
    fix: 'Acorta el correo o pasa partes a una página web.',
  },
  'subject.empty': { problem: 'El asunto está vacío.', fix: 'Escribe un asunto.' },
  'subject.long': {
    problem: 'El asunto es tan largo que los móviles solo muestran el principio.',
    fix: 'Acórtalo y empieza por las palabras más importantes.',
  },
  'subject.capitals': {
    problem: 'El asunto está escrito en mayúsculas.',
    fix: 'Usa mayúsculas y minúsculas como en cualquier frase.',
  },
  'subject.punctuation': {
    problem: 'El asunto tiene varios signos de exclamación o de interrogación.',
    fix: 'Usa uno como máximo.',
  },
  'subject.reply': {
    problem: 'El asunto parece una respuesta o un reenvío.',
    fix: 'Quita «Re:» o «Fwd:». Los destinatarios y los filtros lo consideran engañoso.',
  },
  'preheader.missing': {
    problem: 'No hay preencabezado. Las bandejas de entrada muestran en su lugar las primeras palabras del correo.',
    fix: 'Escribe un preencabezado que complemente el asunto.',
  },
  'preheader.long': {
    problem: 'El preencabezado es tan largo que las bandejas de entrada solo muestran el principio.',
    fix: 'Acórtalo.',
  },
  'preheader.repeated': {
    problem: 'El preencabezado repite el asunto.',
    fix: 'Escribe un preencabezado que complemente el asunto.',
  },
}
