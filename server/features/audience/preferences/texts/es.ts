/** The pages for recipients in Spanish. */
import type { PageTexts } from './types.ts'

export const es: PageTexts = {
  unsubscribe: {
    title: '¿Desea cancelar su suscripción a los correos de {project}?',
    text: '{email} dejará de recibir boletines y ofertas de {project}.',
    button: 'Cancelar la suscripción',
  },
  unsubscribed: {
    title: 'Suscripción cancelada',
    text: '{email} ya no recibirá boletines ni ofertas de {project}.',
    back: 'Volver a suscribirse',
  },
  subscribe: {
    title: '¿Desea suscribirse a los correos de {project}?',
    text: '{email} recibirá boletines y ofertas de {project}. Puede cancelar la suscripción en cualquier momento.',
    button: 'Suscribirse',
  },
  subscribed: {
    title: 'Suscripción activa',
    text: '{email} recibe boletines y ofertas de {project}. Puede cancelar la suscripción en cualquier momento.',
  },
  manage: {
    title: 'Preferencias de correo electrónico',
    question: '¿Qué correos de {project} desea recibir en {email}?',
    never: 'Sin suscripción',
    save: 'Guardar',
    saved: 'Sus preferencias se han guardado.',
  },
  all: { name: 'Todos los correos', description: 'Incluidos boletines y ofertas' },
  necessary: { name: 'Solo correos esenciales', description: 'Como recibos y restablecimientos de contraseña' },
  gone: {
    title: 'Esta dirección ya no está registrada',
    text: 'Los datos asociados a este enlace se han eliminado, por lo que no hay preferencias que cambiar.',
  },
  unknown: {
    title: 'Este enlace no funciona',
    text: 'Es posible que esté incompleto. Vuelva a abrir el correo y haga clic en el enlace. Si sigue sin funcionar, responda al correo.',
  },
  emailGone: {
    title: 'Este correo ya no está disponible',
    text: 'Los correos se pueden ver en el navegador durante un tiempo limitado.',
  },
  emailErased: {
    title: 'Este correo se ha eliminado',
    text: 'Su contenido se eliminó junto con los datos de la persona destinataria.',
  },
  topic: {
    unsubscribe: {
      title: '¿Cancelar la suscripción a «{topic}»?',
      text: '{email} dejará de recibir «{topic}» de {project}.',
    },
    unsubscribed: {
      title: 'Suscripción a «{topic}» cancelada',
      text: '{email} ya no recibirá «{topic}» de {project}.',
    },
    subscribe: {
      title: '¿Suscribirse a «{topic}»?',
      text: '{email} recibirá «{topic}» de {project}. Puede cancelar la suscripción en cualquier momento.',
    },
    subscribed: {
      title: 'Suscripción a «{topic}» confirmada',
      text: '{email} recibe «{topic}» de {project}. Puede cancelar la suscripción en cualquier momento.',
    },
    everything: 'Cancelar todas las suscripciones',
    topics: 'Temas',
    pause: {
      title: 'Hacer una pausa',
      text: 'Su suscripción se mantiene, pero no recibirá boletines ni ofertas hasta que termine la pausa.',
      button: 'Pausar durante {days} días',
      paused: 'En pausa hasta el {date}',
      resume: 'Reanudar ahora',
    },
  },
  settings: {
    title: 'Idioma y zona horaria',
    language: 'Idioma',
    timezone: 'Zona horaria',
    unset: 'Sin especificar',
    download: {
      title: 'Sus datos',
      text: 'Descargue en un archivo lo que {project} guarda sobre {email}.',
      button: 'Descargar los datos',
    },
  },
}
