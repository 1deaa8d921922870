/** Spanish texts of the settings about marketing email. */
import { formatCount } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/settings/sending/texts.ts'
import type { Translation } from '../../../../translation.ts'

/** The title of a setting inside a sentence. */
const lowerFirst = (title: string) => title.charAt(0).toLowerCase() + title.slice(1)

export const sending: Translation<typeof english.sendingTexts> = {
  sending: {
    on: (title) => `Usar ${lowerFirst(title)}`,
    save: 'Guardar',
    saved: (title) => `Ajustes guardados: ${lowerFirst(title)}.`,
    sunset: {
      counting: 'Contando contactos…',
      stops: (count) =>
        count === 0
          ? 'Esta regla no detendría ahora los correos de marketing a ningún contacto.'
          : `Esta regla detendría ahora los correos de marketing a <strong>${formatCount(count, { one: 'contacto', other: 'contactos' })}</strong>.`,
      tooLong:
        'Contar los contactos que detendría esta regla tarda demasiado. Aun así, cada uno se evalúa antes de enviarle un correo.',
      advice: 'Antes de activarla, pregúntales con la plantilla <link>¿Quieres seguir con nosotros?</link>',
    },
    settings: {
      quietHours: {
        title: 'Horas de silencio',
        lead: 'Los correos de marketing esperan hasta que pasen estas horas. Los transaccionales no.',
        fields: { from: 'Desde', to: 'Hasta', timezone: 'Zona horaria' },
      },
      frequencyCap: {
        title: 'Límite de frecuencia',
        lead: 'Un contacto no recibe más correos de marketing que estos. Los que excedan se omiten, y la campaña muestra cuántos son.',
        fields: { emails: 'Correos', days: 'Días' },
      },
      sunset: {
        title: 'Regla de inactividad',
        lead: 'Los contactos que no abren nada ni hacen clic dejan de recibir correos de marketing. Siguen suscritos, y la regla deja de aplicarse si abren o hacen clic en un correo anterior o si la desactivas.',
        fields: { emails: 'Correos sin apertura ni clic', days: 'En este número de días' },
      },
      sendGuard: {
        title: 'Protección de envío',
        lead: 'Pausa una campaña cuando demasiados de sus correos rebotan o se marcan como spam, y avisa a los propietarios y administradores.',
        fields: {
          bounceRate: 'Rebotes, porcentaje',
          complaintRate: 'Quejas de spam, porcentaje',
          minimum: 'Correos antes de evaluarla',
        },
      },
      softBounces: {
        title: 'Límite de rebotes temporales',
        lead: 'Suprime una dirección después de varios fallos temporales seguidos, como un buzón que sigue lleno.',
        fields: { count: 'Rebotes seguidos', days: 'Durante al menos estos días' },
      },
      utm: {
        title: 'Parámetros UTM',
        lead: 'Se añaden a los enlaces de correos de marketing que no los tienen, para que tu analítica web muestre de dónde vienen las visitas. Puedes usar variables, como {{ campaign.name }}.',
        fields: { source: 'Fuente', medium: 'Medio', campaign: 'Campaña' },
      },
      conversion: {
        title: 'Seguimiento de conversiones',
        lead: 'Un evento que registras, como una compra, cuenta para el correo en el que el contacto hizo clic por última vez. «value» y «currency» de sus datos se suman como ingresos.',
        fields: { event: 'Evento', days: 'Días después del clic' },
      },
      archive: {
        title: 'Archivo público',
        lead: 'Una página pública con las campañas que haces públicas, y un feed Atom de ellas.',
        fields: { slug: 'Nombre en la dirección', title: 'Título' },
      },
    },
  },
}
