/** Spanish texts of what the check of a domain finds, by code. */
import type { DomainFindingTexts } from '../../../../pages/domains/finding-texts.ts'

export const domainFinding: DomainFindingTexts = {
  'dns.unknown': ({ topic, reason }) => `No se pudo comprobar ${topic}: ${reason}.`,
  'spf.several': ({ domain, count }) =>
    `${domain} tiene ${count} registros SPF, por lo que los receptores los ignoran todos. Combínalos en uno solo que empiece por v=spf1.`,
  'spf.open': ({ domain }) =>
    `El registro SPF de ${domain} termina en +all, que permite enviar a cualquiera. Cámbialo por ~all.`,
  'spf.lookups': ({ domain, lookups, max }) =>
    `El registro SPF de ${domain} requiere ${lookups} consultas DNS; el máximo es ${max}. Quita las entradas que ya no uses.`,
  'spf.incomplete': ({ domain, mechanism }) =>
    `El registro SPF de ${domain} no incluye el servidor que envía tus correos. Añade ${mechanism} después de v=spf1.`,
  'spf.incomplete-relay': ({ domain, mechanism }) =>
    `El registro SPF de ${domain} no incluye el servidor que envía tus correos. Añade ${mechanism}, o el include: de tu proveedor de correo, después de v=spf1.`,
  'spf.no-end': ({ domain }) =>
    `El registro SPF de ${domain} no indica qué hacer con otros remitentes. Termínalo con ~all.`,
  'spf.none': ({ domain, mechanism }) =>
    `${domain} no tiene registro SPF. Añade un registro TXT: v=spf1 ${mechanism} mx ~all`,
  'spf.none-relay': ({ domain, mechanism }) =>
    `${domain} no tiene registro SPF. Añade un registro TXT: v=spf1 ${mechanism} mx ~all. Si tu proveedor de correo documenta un include:, úsalo en lugar de ${mechanism}.`,
  'spf.none-ses': ({ domain }) => `${domain} no tiene registro SPF. Los correos enviados con SES no lo necesitan.`,
  'spf.none-unnamed': ({ domain }) =>
    `${domain} no tiene registro SPF. El registro necesario se muestra cuando SMTP_HOSTNAME o BASE_URL contienen el nombre público de este servidor.`,
  'dmarc.several': ({ domain, count }) =>
    `_dmarc.${domain} tiene ${count} registros DMARC, por lo que los receptores los ignoran todos. Deja solo uno.`,
  'dmarc.none': ({ domain }) =>
    `${domain} no tiene registro DMARC, que los grandes proveedores exigen. Añade un registro TXT en _dmarc.${domain}: v=DMARC1; p=none`,
  'dmarc.monitors': () =>
    'El registro DMARC solo observa (p=none). Cuando todos tus correos pasen, cámbialo a p=quarantine.',
  'dmarc.invalid': () => 'El registro DMARC no tiene una política válida. Usa p=none, p=quarantine o p=reject.',
  'mx.none': ({ domain }) =>
    `${domain} no tiene registro MX, por lo que las respuestas pueden no llegar. Añade uno o indica una dirección de respuesta de otro dominio.`,
  'mx.null': ({ domain }) =>
    `${domain} tiene un registro MX nulo y no acepta correo, por lo que las respuestas rebotan. Indica una dirección de respuesta de otro dominio.`,
}
