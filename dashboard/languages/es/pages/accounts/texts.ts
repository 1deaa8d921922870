/** Spanish texts of the pages for signing in, signing up and joining a project. */
import type * as english from '../../../../pages/accounts/texts.ts'
import type { Translation } from '../../../translation.ts'

export const accounts: Translation<typeof english.texts> = {
  signIn: {
    title: 'Iniciar sesión',
    password: 'Contraseña',
    code: 'Código de autenticación',
    codeHint: 'Introduce el código de tu aplicación de autenticación o un código de recuperación.',
    submit: 'Iniciar sesión',
    forgotPassword: '¿Olvidaste tu contraseña?',
    continueWith: (provider) => `Continuar con ${provider}`,
    signUp: '¿No tienes una cuenta? <link>Regístrate</link>',
  },
  signUp: {
    title: 'Crea tu cuenta',
    password: 'Contraseña',
    submit: 'Crear cuenta',
    signIn: '¿Ya tienes una cuenta? <link>Inicia sesión</link>',
    closedTitle: 'El registro está desactivado',
    closed: 'Necesitas una invitación para crear una cuenta. Pide una a tu administrador.',
  },
  forgotPassword: {
    title: 'Restablece tu contraseña',
    lead: 'Introduce tu dirección de correo y te enviaremos un enlace para definir una contraseña nueva.',
    submit: 'Enviar enlace',
    back: 'Volver a iniciar sesión',
    sentTitle: 'Revisa tu bandeja de entrada',
    sent: (email) =>
      `Si ${email} tiene una cuenta, recibirás en breve un enlace para restablecer la contraseña. Caduca en una hora y se puede usar una vez.`,
  },
  resetPassword: {
    title: 'Define una contraseña nueva',
    password: 'Contraseña nueva',
    submit: 'Definir contraseña',
    signIn: 'Iniciar sesión',
    doneTitle: 'Contraseña actualizada',
    done: 'Se cerró tu sesión en todos los dispositivos. Inicia sesión con tu contraseña nueva.',
  },
  verifyEmail: {
    title: 'Confirma tu dirección de correo',
    lead: 'Confirma que esta dirección es tuya para poder recibir los correos de tu cuenta.',
    submit: 'Confirmar dirección',
    doneTitle: 'Dirección de correo confirmada',
    done: 'Puedes cerrar esta página o ir al panel.',
    home: 'Ir al panel',
  },
  invitation: {
    title: (project) => `Únete a ${project}`,
    lead: (email, invitedBy) =>
      invitedBy
        ? `${invitedBy} invitó a ${email} a unirse a este proyecto.`
        : `${email} tiene una invitación para unirse a este proyecto.`,
    signUp: '¿Aún no tienes una cuenta? <link>Crear cuenta</link>',
    accept: 'Aceptar invitación',
    signInFirst: (email) => `<link>Inicia sesión</link> como ${email} para aceptar la invitación.`,
    toDashboard: 'Ir al panel',
    invalidTitle: 'Esta invitación ya no es válida',
    invalid:
      'Puede que haya caducado o se haya revocado. Pide una nueva a quien te invitó. Si ya la aceptaste, ve al panel.',
  },
}
