/** Spanish texts of the settings pages about the project: its settings, branding, usage, billing and reputation. */
import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/settings/project-texts.ts'
import type { Translation } from '../../../translation.ts'
import { socialNetwork } from '../../shell/texts.ts'

const emails = (count: number) => formatCount(count, { one: 'correo', other: 'correos' })

export const project: Translation<typeof english.projectTexts> = {
  preferencePage: {
    title: 'Página de preferencias',
    lead: 'Los contactos llegan a esta página con {{manageUrl}} y desde las páginas de baja. Siempre contiene los temas públicos y una pausa.',
    offers: {
      language: 'Permitir que los contactos elijan su idioma',
      timezone: 'Permitir que los contactos elijan su zona horaria',
      dataDownload: 'Permitir que los contactos descarguen sus datos',
    },
    hints: {
      language: 'Se guarda en el campo «locale».',
      timezone: 'Se guarda en el campo «timezone».',
      dataDownload: 'Cualquiera que tenga el enlace de un correo puede descargar lo que se guarda sobre el contacto.',
    },
    save: 'Guardar página de preferencias',
    saved: 'Página de preferencias guardada.',
  },
  doubleOptIn: {
    title: 'Doble confirmación',
    lead: 'Los contactos nuevos confirman su suscripción con un enlace en un correo antes de recibir correos de marketing.',
    enabled: 'Pedir confirmación a los contactos que añade la API',
    template: 'Correo de confirmación',
    templateHint: 'Tu propia plantilla debe contener un enlace a {{confirmUrl}}.',
    standard: 'El correo de Posthorn, en el idioma del contacto',
    redirectUrl: 'Página después de la confirmación',
    redirectUrlHint:
      'Una URL de tu sitio web. Déjalo vacío para mostrar una página que indica que la suscripción está confirmada.',
    save: 'Guardar doble confirmación',
    saved: 'Doble confirmación guardada.',
  },
  project: {
    name: 'Nombre',
    tracking: 'Seguimiento de aperturas y clics',
    trackingHint:
      'Registra quién abre los correos y hace clic en los enlaces. A los correos que tus aplicaciones envían sin plantilla nunca se les hace seguimiento.',
    trackingOptions: {
      ENABLED: 'Todos los correos con plantilla',
      MARKETING_ONLY: 'Solo correos de marketing',
      DISABLED: 'Desactivado',
    },
    language: 'Idioma',
    languageHint: 'Se usa en el pie de los correos y en las páginas de baja de los contactos sin idioma.',
    sendToBounced: 'Enviar a direcciones que rebotaron',
    sendToBouncedHint:
      'Envía correos transaccionales incluso a direcciones suprimidas por un rebote permanente. Si está desactivado, esos correos fallan, lo que protege tu reputación. Los correos de marketing nunca se les envían.',
    publicKeyUpdates: 'Cambios con la clave pública',
    publicKeyUpdatesHint:
      'Lo que tu sitio web puede cambiar de los contactos cuando registra eventos. Nunca revierte una baja que hizo un contacto.',
    publicKeyUpdatesOptions: {
      all: 'Datos y suscripción de todos los contactos',
      new: 'Datos y suscripción solo de contactos nuevos',
      none: 'Nada: solo eventos',
    },
    save: 'Guardar ajustes',
    saved: 'Ajustes guardados.',
    readOnly: 'Solo los propietarios y administradores pueden cambiar estos ajustes.',
  },
  branding: {
    title: 'Marca',
    address: 'Dirección postal',
    addressHint: 'Se muestra en el pie de los correos de marketing. Muchos países la exigen.',
    addressInContent: 'Los propios correos contienen la dirección postal',
    addressInContentHint: 'Así las comprobaciones no piden una dirección en el pie.',
    logo: 'URL del logo',
    logoHint: 'Sube una imagen o introduce la URL de una de tu sitio web.',
    uploadLogo: 'Subir logo',
    color: 'Color de marca',
    font: 'Fuente',
    darkMode: 'Colores oscuros en modo oscuro',
    darkModeHint:
      'Si los correos visuales se vuelven oscuros para quienes usan el modo oscuro. Los correos con su propio ajuste lo conservan.',
    darkModes: { '': 'Decidir en cada correo', true: 'Sí', false: 'No' },
    fonts: {
      '': 'Predeterminada',
      sans: 'Sin serifa',
      serif: 'Con serifa',
      rounded: 'Redondeada',
      mono: 'Monoespaciada',
    },
    colors: {
      background: 'Fondo',
      contentBackground: 'Fondo del contenido',
      textColor: 'Color del texto',
      linkColor: 'Color de los enlaces',
    },
    social: 'Enlaces sociales',
    network: 'Red',
    networks: socialNetwork,
    socialUrl: 'URL',
    addLink: 'Añadir enlace',
    removeLink: 'Quitar enlace',
    save: 'Guardar marca',
    saved: 'Marca guardada.',
    preview: {
      title: 'Vista previa',
      heading: 'Te damos la bienvenida a tu nuevo plan',
      text: 'Todo está listo. Lee la <link>guía de primeros pasos</link> para aprender a empezar.',
      button: 'Abrir el panel',
      unsubscribe: 'Darse de baja',
    },
  },
  danger: {
    title: 'Zona de peligro',
    reset: 'Restablecer proyecto',
    resetLead:
      'Elimina todos los contactos, eventos, plantillas y demás datos. El proyecto en sí, sus claves de API, miembros y dominios se conservan. Esta acción no se puede deshacer.',
    resetTitle: (project) => `¿Restablecer ${project}?`,
    resetEffect:
      'Se eliminan de forma permanente todos los contactos, eventos, plantillas, campañas, segmentos, flujos y correos de este proyecto.',
    resetDone: 'Proyecto restablecido.',
    delete: 'Eliminar proyecto',
    deleteLead:
      'Elimina el proyecto y todos sus datos. Sus claves de API dejan de funcionar de inmediato. Esta acción no se puede deshacer.',
    deleteTitle: (project) => `¿Eliminar ${project}?`,
    deleteEffect: 'El proyecto y todos sus datos se eliminan de forma permanente.',
  },
  usage: {
    sources: {
      transactional: 'Transaccionales',
      campaigns: 'Campañas',
      workflows: 'Flujos',
      inbound: 'Entrantes',
    },
    limitsTitle: 'Límites mensuales',
    limitsLead: 'Los correos que superan un límite se rechazan. Deja un campo vacío para no poner límite.',
    noLimit: 'Sin límite',
    used: (count) => `${emails(count)} este mes`,
    saveLimits: 'Guardar límites',
    limitsSaved: 'Límites guardados.',
    historyTitle: 'Uso mensual',
    historyLead:
      'Los correos cuentan cuando se aceptan, aunque al final no se envíen, así que pueden ser más que los correos enviados de Reputación. Los meses empiezan a medianoche UTC.',
    ofSource: (count, source) => `${source} ${formatNumber(count)}`,
    month: 'Mes',
    total: 'Total',
  },
  billing: {
    offTitle: 'La facturación está desactivada',
    off: 'Esta instalación no cobra por los correos.',
    offOperator:
      'Esta instalación no cobra por los correos. Para activar las suscripciones y las facturas, define <secretKey/> y <priceId/>. Los límites mensuales funcionan en ambos casos.',
    subscription: 'Suscripción',
    noSubscription: 'Aún no tienes ninguna suscripción.',
    renews: (status) => `${status}, se renueva el <time/>`,
    ends: (status) => `${status}, termina el <time/>`,
    openPortal: 'Abrir portal de facturación',
    subscribe: 'Suscribirse',
    invoices: 'Facturas',
    noInvoicesTitle: 'Aún no hay facturas',
    noInvoices: 'Stripe crea una factura al final de cada periodo de facturación. Puedes verla y descargarla aquí.',
    column: { invoice: 'Factura', status: 'Estado', amount: 'Importe', created: 'Creada' },
    draft: 'Borrador',
    view: 'Ver',
    viewInvoice: (number) => (number ? `Ver factura ${number}` : 'Ver factura'),
    pdf: 'PDF',
    pdfInvoice: (number) => (number ? `Descargar factura ${number} en PDF` : 'Descargar factura en PDF'),
  },
  security: {
    status: 'Estado',
    statuses: {
      healthy: { label: 'Correcto', advice: 'Tus tasas de rebote y de spam son bajas.' },
      warning: {
        label: 'Advertencia',
        advice: 'Tu tasa de rebote o de quejas es alta. Envía solo a personas que pidieron tus correos.',
      },
      critical: {
        label: 'Crítico',
        advice:
          'Los proveedores de correo pueden rechazar los correos de remitentes con tasas como estas. Pausa tus campañas y elimina los contactos que no pidieron tus correos.',
      },
    },
    disabled: (reason) =>
      reason
        ? `El envío está desactivado. Motivo: ${reason}`
        : 'El envío está desactivado. Contacta con tu administrador.',
    periods: { sevenDay: 'Últimos 7 días', allTime: 'Desde siempre' },
    from: {
      warning: (rate) => `Advertencia desde ${rate}`,
      critical: (rate) => `Crítico desde ${rate}`,
    },
    bouncedEmails: 'Ver correos rebotados',
    complainedEmails: 'Ver correos marcados como spam',
    meaning: 'Cómo se evalúan las tasas',
    period: (emails) =>
      `Cuentan los últimos 7 días si en ellos enviaste al menos ${formatNumber(emails)} correos. De lo contrario, cuentan todos los correos. Se incluyen los correos eliminados.`,
    atWarning: '<level>Advertencia:</level> el resumen muestra un aviso. Tus correos se siguen enviando.',
    atCritical:
      '<level>Crítico:</level> los proveedores de correo pueden empezar a rechazar tus correos. Si esta instalación usa <setting/>, el proyecto se desactiva y no puede enviar hasta que el operador lo vuelva a activar.',
    suppressed:
      'Las direcciones que rebotan de forma permanente o denuncian spam no reciben más correos de marketing. Consulta las <link>supresiones</link>.',
    bounces: 'Rebotes permanentes',
    complaints: 'Quejas de spam',
    countOf: (count, sent) => `${formatNumber(count)} de ${emails(sent)}`,
    minimum: (count) => `Tu reputación se evalúa cuando hayas enviado ${emails(count)}.`,
  },
}
