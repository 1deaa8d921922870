/** Spanish names and descriptions of the gallery, by slug. */
import type { GalleryTexts } from '../../../../../pages/templates/gallery/entry-texts.ts'

export const galleryEntry: GalleryTexts = {
  welcome: {
    name: 'Bienvenida',
    description: 'Da la bienvenida a los clientes nuevos y les muestra los tres primeros pasos.',
  },
  'confirm-address': {
    name: 'Confirmar la dirección',
    description: 'Pide a un suscriptor o cliente nuevo que confirme su dirección de correo.',
  },
  'magic-link': {
    name: 'Enlace mágico',
    description: 'Inicia la sesión de una persona con un enlace o un código, sin contraseña.',
  },
  'password-reset': { name: 'Restablecer la contraseña', description: 'Permite elegir una contraseña nueva.' },
  'security-alert': {
    name: 'Alerta de seguridad',
    description: 'Avisa de un inicio de sesión desde un dispositivo nuevo.',
  },
  'team-invitation': { name: 'Invitación al equipo', description: 'Invita a una persona a unirse a un equipo.' },
  newsletter: { name: 'Boletín', description: 'Un artículo principal, dos artículos breves y una lista de enlaces.' },
  'product-announcement': {
    name: 'Anuncio de producto',
    description: 'Presenta un producto o una función nuevos con sus ventajas.',
  },
  'event-invitation': {
    name: 'Invitación a un evento',
    description: 'Invita a un evento, con su fecha, lugar y programa.',
  },
  survey: { name: 'Encuesta', description: 'Hace una pregunta con tres respuestas y enlaza una encuesta breve.' },
  're-engagement': { name: 'Reactivación', description: 'Pregunta a quienes no han estado activos si quieren seguir.' },
  stay: {
    name: '¿Quieres seguir?',
    description: 'El último correo a quienes no abren nada, antes de dejar de escribirles.',
  },
  digest: { name: 'Resumen', description: 'Enumera lo que ocurrió la semana pasada.' },
  receipt: { name: 'Recibo', description: 'Confirma un pedido con sus artículos y el total.' },
  invoice: { name: 'Factura', description: 'Envía una factura con su importe y fecha de vencimiento.' },
  shipping: {
    name: 'Confirmación de envío',
    description: 'Avisa a un cliente de que su pedido se ha enviado, con el número de seguimiento.',
  },
  'trial-ending': {
    name: 'Fin de la prueba',
    description: 'Recuerda a un cliente que su prueba termina y le ofrece un plan.',
  },
}
