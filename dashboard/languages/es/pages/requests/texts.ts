/** Spanish texts of the pages about API requests. */
import { formatCount } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/requests/texts.ts'
import type { Translation } from '../../../translation.ts'

export const requests: Translation<typeof english.texts> = {
  title: 'Solicitudes de API',
  lead: 'Lo que solicitaron tus claves de API en los últimos 7 días. Los cuerpos no se guardan.',
  column: { request: 'Solicitud', status: 'Estado', key: 'Clave', duration: 'Duración', time: 'Hora' },
  search: 'Ruta, como /v1/send',
  method: 'Método',
  anyMethod: 'Todos los métodos',
  status: 'Estado',
  anyStatus: 'Todos los estados',
  statuses: { '2xx': 'Correctas (2xx)', '4xx': 'Rechazadas (4xx)', '5xx': 'Fallidas (5xx)' },
  key: 'Clave',
  anyKey: 'Todas las claves',
  keys: { secret: 'Clave secreta', public: 'Clave pública' },
  ms: (ms) => `${ms} ms`,
  ignored: (count) => formatCount(count, { one: 'campo ignorado', other: 'campos ignorados' }),
  emptyTitle: 'Sin solicitudes de API',
  empty:
    'Las solicitudes con tus claves de API se muestran aquí durante 7 días, cada una con su error. Así puedes ver por qué se rechazó la solicitud de tu aplicación. Crea una clave de API y envía la primera solicitud. Si no aparece ninguna, puede que REQUEST_LOG esté desactivado en esta instalación.',
  createKey: 'Abrir claves de API',
  noMatchTitle: 'Ninguna solicitud coincide',
  noMatch: 'Prueba con otro filtro.',
  one: {
    title: 'Solicitud de API',
    facts: 'Solicitud',
    id: 'ID de la solicitud',
    copyId: 'Copiar ID de la solicitud',
    network: 'Red',
    unknown: 'Desconocido',
    error: 'Error',
    docs: 'Cómo resolver este error',
    field: 'Campo',
    problem: 'Problema',
    ignoredTitle: 'Campos ignorados',
    ignoredLead:
      'Este endpoint no tiene estos campos de la solicitud, así que no surtieron efecto. Comprueba sus nombres.',
  },
}
