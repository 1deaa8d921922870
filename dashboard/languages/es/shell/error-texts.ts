/** Spanish labels of fields by their name in the API, and errors, reworded for forms. */
import type * as english from '../../../shell/error-texts.ts'
import type { Translation } from '../../translation.ts'

export const fieldLabels: Translation<typeof english.fieldLabels> = {
  name: 'Nombre',
  description: 'Descripción',
  subject: 'Asunto',
  body: 'Cuerpo',
  from: 'Remitente',
  fromName: 'Nombre del remitente',
  replyTo: 'Responder a',
  type: 'Tipo',
  email: 'Correo electrónico',
  data: 'Datos',
  domain: 'Dominio',
  password: 'Contraseña',
  newPassword: 'Contraseña nueva',
  code: 'Código de autenticación',
  segmentId: 'Segmento',
  templateId: 'Plantilla',
  condition: 'Condición',
  audienceCondition: 'Condición',
  audienceType: 'Audiencia',
  scheduledFor: 'Fecha y hora',
  trackMembership: 'Registrar entradas y salidas',
  triggerType: 'Activador',
  triggerConfig: 'Activador',
  eventName: 'Evento',
  allowReentry: 'Permitir reentrada',
  language: 'Idioma',
  tracking: 'Seguimiento de aperturas y clics',
  role: 'Rol',
  confirm: 'Nombre del proyecto',
  file: 'Archivo',
  postalAddress: 'Dirección postal',
  logoUrl: 'Logo',
  brandColor: 'Color',
  filter: (group, position, part) => {
    const filter = position === undefined ? `Grupo ${group}` : `Grupo ${group}, filtro ${position}`
    return part ? `${filter}, ${part}` : filter
  },
}

export const errorMessages: Translation<typeof english.errorMessages> = {
  invalidFields: 'Revisa algunos campos.',
  pastTime: 'Elige una hora futura.',
  noTime: 'Introduce una fecha y una hora.',
  noSender: 'Introduce la dirección desde la que envías.',
  unverifiedDomain:
    'Solo puedes enviar desde un dominio verificado. Añade y verifica este dominio en la página Dominios.',
  noCondition: 'Añade al menos un filtro.',
  untrackedMembership: 'Este segmento no registra entradas ni salidas. Activa primero ese registro.',
  dynamicMembers: 'No puedes añadir contactos a un segmento dinámico. Su condición determina quién forma parte de él.',
  expiredSetup: 'Esta configuración ha caducado. Empieza de nuevo.',
  gone: 'Este elemento no existe o se eliminó.',
  unreachable: 'No se puede conectar con Posthorn. Comprueba tu conexión.',
  timedOut: 'Posthorn no respondió a tiempo. Inténtalo de nuevo.',
  pageNotLoaded: 'No se puede cargar esta página. Comprueba tu conexión.',
  serverError: 'Algo falló en el servidor. Inténtalo de nuevo en un momento.',
  wrongCredentials: 'El correo o la contraseña son incorrectos.',
  wrongPassword: 'La contraseña es incorrecta.',
  wrongCode: 'El código es incorrecto o ya se usó. Introduce el más reciente.',
  signedOut: 'Tu sesión ha caducado. Vuelve a iniciar sesión.',
  noSignUps: 'El registro está desactivado en esta instalación. Pide una invitación al propietario de un proyecto.',
  accountExists: 'Ya existe una cuenta con este correo. Inicia sesión con ella.',
  usedLink: 'Este enlace ya se usó o ha caducado.',
  endedInvitation: 'Esta invitación se aceptó o se revocó, o ha caducado.',
}
