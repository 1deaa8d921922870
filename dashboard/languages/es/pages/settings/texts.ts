/** Spanish texts of the settings page and its tabs. */
import type * as english from '../../../../pages/settings/texts.ts'
import type { Translation } from '../../../translation.ts'

export const settings: Translation<typeof english.settingsTexts> = {
  title: 'Ajustes',
  leads: {
    project: 'El nombre de este proyecto y lo que se aplica a todos sus correos.',
    branding:
      'Se usa en los correos visuales, en el pie de los correos de marketing y en las páginas de baja y de preferencias.',
    sending: 'Cuándo y cuántos correos de marketing se envían, qué contienen sus enlaces y qué cuenta como conversión.',
    usage: 'Cuántos correos usa este proyecto cada mes y sus límites.',
    security:
      'Con qué frecuencia tus correos rebotan o se marcan como spam. Los proveedores de correo rechazan a los remitentes con tasas altas.',
    members: 'Las personas que pueden trabajar en este proyecto.',
    'audit-log': 'Cambios en el proyecto, primero los más recientes. Las entradas no se pueden editar ni eliminar.',
    keys: 'Tus aplicaciones se autentican con estas claves.',
    smtp: 'Envía desde aplicaciones que usan SMTP en lugar de la API y recibe correos para tus dominios.',
    account: 'Cómo inicias sesión. Es igual en todos tus proyectos.',
    installation: 'Solo los operadores de esta instalación pueden ver esta página.',
    'system-mail': 'Invitaciones, confirmaciones de direcciones y restablecimientos de contraseña.',
  },
  unknownBrowser: 'Navegador desconocido',
  browserOnSystem: (browser, system) => `${browser} en ${system}`,
  projectTitle: 'Ajustes del proyecto',
  export: {
    title: 'Exportación',
    lead: 'Descarga todo lo que contiene este proyecto como archivo ZIP de JSON Lines: contactos, consentimientos, temas, plantillas, campañas, flujos, correos y eventos. Queda constancia en el registro de auditoría.',
    action: 'Exportar proyecto',
  },
  groups: {
    project: 'Proyecto',
    team: 'Equipo',
    developers: 'Desarrollo',
    account: 'Personal',
    installation: 'Instalación',
  },
}
