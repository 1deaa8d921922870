/** Spanish texts of the settings pages about the account of the signed-in user. */
import { formatCount, pickPlural } from '../../../../../figures/format.ts'
import type * as english from '../../../../../pages/settings/account/texts.ts'
import type { Translation } from '../../../../translation.ts'

export const account: Translation<typeof english.accountTexts> = {
  account: {
    email: 'Dirección de correo',
    confirmed: 'Confirmada',
    unconfirmed: 'Sin confirmar',
    unverifiedLead:
      'Confirma que esta es tu dirección. Te enviaremos un enlace que caduca en una hora y se puede usar una vez.',
    unverifiedCaptured:
      'Modo de prueba: el enlace de confirmación no se envía por correo. El operador de esta instalación lo encuentra en <link>Correo del sistema</link>.',
    sendLink: 'Enviar enlace de confirmación',
    createLink: 'Crear enlace de confirmación',
    linkSent: 'Enlace de confirmación enviado.',
    linkCaptured: 'Enlace de confirmación creado. Está en «Correo del sistema».',
    password: 'Contraseña',
    currentPassword: 'Contraseña actual',
    newPassword: 'Contraseña nueva',
    changePassword: 'Cambiar contraseña',
    passwordChanged: 'Contraseña cambiada. Se cerraron tus demás sesiones.',
  },
  language: {
    title: 'Idioma',
    lead: 'El panel se vuelve a cargar en este idioma, en todos los navegadores en los que inicias sesión.',
    label: 'Idioma del panel',
    browser: 'El del navegador',
  },
  twoFactor: {
    title: 'Autenticación en dos pasos',
    on: 'Activada',
    off: 'Desactivada',
    turnOn: 'Activar',
    turnOff: 'Desactivar',
    onLead: (codes) =>
      `Para iniciar sesión se necesita un código de tu aplicación de autenticación. ${pickPlural(codes, { one: 'Te queda', other: 'Te quedan' })} ${formatCount(codes, { one: 'código de recuperación', other: 'códigos de recuperación' })}.`,
    offLead:
      'Exige un código de una aplicación de autenticación al iniciar sesión, para que una contraseña robada no baste por sí sola.',
    turnOnTitle: 'Activar la autenticación en dos pasos',
    password: 'Contraseña',
    continue: 'Continuar',
    scanStep: '1. Añade Posthorn a tu aplicación de autenticación',
    scan: 'Escanea el código QR con la aplicación.',
    scanElsewhere: 'O escanea este código QR con otro dispositivo:',
    onThisDevice: 'Configurarla en este dispositivo',
    setupKey: 'O introduce esta clave de configuración en la aplicación:',
    codeStep: '2. Introduce el código de la aplicación',
    codeHint: 'Seis cifras. Después recibirás códigos de recuperación que debes guardar.',
    qrCode: 'Código QR para tu aplicación de autenticación',
    copySecret: 'Copiar clave de configuración',
    code: 'Código de autenticación',
    doneTitle: 'La autenticación en dos pasos está activada',
    doneLead:
      'Guarda ahora estos códigos de recuperación. Cada código funciona una vez si pierdes tu aplicación de autenticación. No se volverán a mostrar.',
    recoveryCodes: 'Códigos de recuperación',
    codesSaved: 'He guardado los códigos',
    download: 'Descargar códigos',
    done: 'Listo',
    turnOffTitle: 'Desactivar la autenticación en dos pasos',
    codeOrRecovery: 'Código de autenticación o de recuperación',
    keepOn: 'Mantenerla activada',
  },
  sessions: {
    title: 'Sesiones',
    lead: 'Los navegadores en los que tienes la sesión iniciada. Si no reconoces una sesión, ciérrala y cambia tu contraseña.',
    column: { browser: 'Navegador', address: 'Dirección IP', lastActive: 'Última actividad' },
    current: 'Esta sesión',
    signOut: 'Cerrar sesión',
    signOutLabel: (browser) => `Cerrar la sesión de ${browser}`,
    signOutOthers: 'Cerrar las demás sesiones',
    signedOut: 'Sesión cerrada.',
    othersSignedOut: 'Se cerraron todas las demás sesiones.',
  },
}
