/** Spanish texts that several pages share: navigation, dialogs, lists and errors. */
import { formatCount, formatNumber, formatPercent } from '../../../figures/format.ts'
import type * as english from '../../../shell/texts.ts'
import type { Translation } from '../../translation.ts'

/** The name of a page inside a sentence. */
const lowerFirst = (label: string) => label.charAt(0).toLowerCase() + label.slice(1)

export const shared: Translation<typeof english.sharedTexts> = {
  productName: 'Posthorn',
  pageTitle: (title) => `${title} · Posthorn`,
  cancel: 'Cancelar',
  close: 'Cerrar',
  copy: 'Copiar',
  copied: 'Copiado',
  dismiss: 'Ocultar',
  undo: 'Deshacer',
  delete: 'Eliminar',
  duplicate: 'Duplicar',
  remove: 'Quitar',
  loading: 'Cargando',
  retry: 'Reintentar',
  saved: 'Guardado',
  notLoaded: (what) => `No se pudo cargar «${what}»`,
  checkFields: 'Revisa los campos marcados.',
  actions: 'Acciones',
  moreActions: 'Más acciones',
  missing: '–',
  quoted: (text) => `«${text}»`,
  labeled: (label, text) => `${label}: ${text}`,
  noSubject: '(sin asunto)',
  clearSearch: 'Borrar búsqueda y filtros',
  requestId: (id) => `ID de la solicitud: ${id}`,
  typeToConfirm: (text) => `Escribe «${text}» para confirmar`,
  subscribed: 'Suscrito',
  notSubscribed: 'No suscrito',
  secretKey: 'Clave secreta',
  publicKey: 'Clave pública',
  contacts: (count) => formatCount(count, { one: 'contacto', other: 'contactos' }),
}

export const change: Translation<typeof english.changeTexts> = {
  none: 'Sin cambios',
  up: 'Sube',
  down: 'Baja',
  percent: (ratio) => formatPercent(ratio),
  points: (difference) => formatCount(Math.round(difference * 1000) / 10, { one: 'punto', other: 'puntos' }),
  since: (days) => `En comparación con los ${formatNumber(days)} días anteriores.`,
}

export const count: Translation<typeof english.countTexts> = {
  sent: 'Correos que aceptó el servidor de correo.',
  delivered:
    'Correos entregados que no rebotaron después, como porcentaje de los correos que se enviaron o se rechazaron.',
  opened:
    'Correos que una persona abrió o en los que hizo clic, como porcentaje de los correos entregados. Si el servidor de correo no informa de las entregas: de los correos que no rebotaron.',
  clicked:
    'Correos en los que una persona hizo clic en un enlace, como porcentaje de los correos entregados. Si el servidor de correo no informa de las entregas: de los correos que no rebotaron.',
  bounced: 'Rebotes permanentes, como porcentaje de los correos que se enviaron o se rechazaron.',
  complained: 'Correos marcados como spam, como porcentaje de los correos que se enviaron o se rechazaron.',
  unsubscribed: 'Destinatarios que se dieron de baja desde esta campaña, como porcentaje de los correos entregados.',
}

export const pager: Translation<typeof english.pagerTexts> = {
  label: 'Paginación',
  first: 'Primera página',
  previous: 'Anterior',
  next: 'Siguiente',
  rows: (first, rows, total) =>
    `${formatNumber(first)}–${formatNumber(first + rows - 1)}${total ? ` de ${total}` : ''}`,
  position: (page, totalPages) => `Página ${formatNumber(page)} de ${formatNumber(totalPages)}`,
}

export const navigation: Translation<typeof english.navigationTexts> = {
  project: 'Proyecto',
  account: 'Cuenta',
  skip: 'Ir al contenido',
  openMenu: 'Abrir menú',
  closeMenu: 'Cerrar menú',
  search: 'Buscar',
  newProject: 'Nuevo proyecto',
  disabled: (reason) =>
    reason
      ? `Este proyecto está desactivado y no puede enviar correos. Motivo: ${reason}`
      : 'Este proyecto está desactivado y no puede enviar correos. Contacta con tu administrador.',
  themes: { light: 'Tema claro', dark: 'Tema oscuro', system: 'Tema del sistema' },
  apiReference: 'Referencia de la API',
  signOut: 'Cerrar sesión',
}

export const palette: Translation<typeof english.paletteTexts> = {
  label: 'Búsqueda y comandos',
  placeholder: 'Buscar o ir a…',
  closeKey: 'Esc',
  hint: 'Escribe al menos dos letras para buscar contactos, campañas, segmentos, correos y más.',
  empty: 'Sin resultados',
  goTo: 'Ir a',
  create: 'Comandos',
  projects: 'Proyectos',
  settings: 'Ajustes',
  settingsTab: (tab) => `Ajustes: ${tab}`,
  toLight: 'Cambiar al tema claro',
  toDark: 'Cambiar al tema oscuro',
  contacts: 'Contactos',
  campaigns: 'Campañas',
  templates: 'Plantillas',
  workflows: 'Flujos',
  segments: 'Segmentos',
  emails: 'Correos',
  email: (subject, to) => `${subject} para ${to}`,
  contact: (email, name) => (name ? `${email} (${name})` : email),
  newProject: 'Crear proyecto',
  docs: 'Abrir la documentación',
  signOut: 'Cerrar sesión',
}

export const tag: Translation<typeof english.tagTexts> = {
  filter: 'Etiqueta',
  all: 'Todas las etiquetas',
  name: 'Etiqueta',
  add: 'Añadir etiqueta',
  addTo: (name) => `Añadir etiqueta a ${name}`,
  change: 'Editar',
  edit: (name) => `Editar las etiquetas de ${name}`,
  show: (tag) => `Mostrar todo lo que tiene la etiqueta ${tag}`,
  remove: (tag) => `Quitar la etiqueta ${tag}`,
}

export const picker: Translation<typeof english.pickerTexts> = {
  recent: 'Recientes',
  others: 'Todos',
  empty: 'Sin coincidencias',
  searching: 'Buscando…',
  failed: 'No se pudo cargar la lista.',
  gone: 'Ya no existe',
  more: (count) => `${formatNumber(count)} más. Escribe para encontrarlos.`,
  found: (count) =>
    count === 0 ? 'Sin coincidencias' : formatCount(count, { one: 'coincidencia', other: 'coincidencias' }),
  contactPlaceholder: 'Nombre o dirección',
  templatePlaceholder: 'Buscar plantillas',
  segmentPlaceholder: 'Buscar segmentos',
  workflowPlaceholder: 'Buscar flujos',
  campaignPlaceholder: 'Buscar campañas',
  segmentSize: (count) => formatCount(count, { one: 'contacto', other: 'contactos' }),
}

export const socialNetwork: Translation<typeof english.socialNetworkTexts> = {
  website: 'Sitio web',
  x: 'X',
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  github: 'GitHub',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
  threads: 'Threads',
}

export const sort: Translation<typeof english.sortTexts> = {
  ascending: 'en orden ascendente',
  descending: 'en orden descendente',
}

export const shortcut: Translation<typeof english.shortcutTexts> = {
  title: 'Atajos de teclado',
  general: 'En todas partes',
  palette: 'Búsqueda y comandos',
  search: 'Buscar en esta lista',
  save: 'Guardar',
  submit: 'Enviar el formulario',
  help: 'Mostrar los atajos de teclado',
  lists: 'Listas',
  next: 'Fila siguiente',
  previous: 'Fila anterior',
  open: 'Abrir fila',
  select: 'Seleccionar fila',
  goTo: 'Ir a',
  keyAfter: 'luego',
  keyOr: 'o',
}

export const error: Translation<typeof english.errorTexts> = {
  notFoundTitle: 'Página no encontrada',
  notFound: 'Puede que el enlace sea incorrecto o que se haya eliminado lo que enlazaba.',
  home: 'Ir al panel',
  missing: (title) => `${title} inexistente`,
  backTo: (label) => `Volver a ${lowerFirst(label)}`,
  failedTitle: 'Algo salió mal',
}

export const accountField: Translation<typeof english.accountFieldTexts> = {
  email: 'Correo electrónico',
  password: 'Contraseña',
  passwordHint: 'Usa al menos 8 caracteres.',
}

export const color: Translation<typeof english.colorTexts> = { pick: (label) => `${label}: elegir un color` }

export const captured: Translation<typeof english.capturedTexts> = {
  notice: 'Modo de prueba: los correos se guardan aquí y no se envían.',
}

export const connection: Translation<typeof english.connectionTexts> = {
  offline: 'No tienes conexión. Posthorn volverá a conectarse automáticamente y tus cambios se conservan.',
  unreachable: 'No se puede conectar con Posthorn. Reintentando…',
  retry: 'Intentar ahora',
  slow: 'Esto está tardando más de lo habitual.',
}

export const unsaved: Translation<typeof english.unsavedTexts> = {
  title: '¿Salir sin guardar?',
  lead: 'Tienes cambios sin guardar en esta página. Si sales, se perderán.',
  stay: 'Seguir editando',
  leave: 'Descartar cambios',
  restored: 'Se recuperaron tus cambios sin guardar.',
  discard: 'Descartar cambios',
  discardEntered: '¿Descartar tus cambios?',
}

export const testEmail: Translation<typeof english.testEmailTexts> = {
  open: 'Enviar correo de prueba',
  to: 'Destinatario',
  send: 'Enviar correo de prueba',
  sent: (address) => `Correo de prueba enviado a ${address}.`,
  view: 'Ver correo',
}

export const sharedBlock: Translation<typeof english.sharedBlockTexts> = {
  layout: 'Estructura',
  layoutHint: 'El encabezado y el pie que rodean este correo.',
  noLayout: 'Sin estructura',
  insert: 'Bloques guardados',
  choose: 'Insertar una copia…',
  save: 'Guardar bloque',
  saveLead: 'Tu equipo puede insertar una copia de este bloque en otros correos.',
  saved: 'Bloque guardado.',
  name: 'Nombre',
}

export const emailPreview: Translation<typeof english.emailPreviewTexts> = {
  imagesBlocked: 'Las imágenes remotas están bloqueadas.',
  showImages: 'Mostrar imágenes',
  probe: 'Altura del correo',
  desktop: 'Ancho de escritorio',
  phone: 'Ancho de móvil',
  light: 'Mostrar en modo claro',
  dark: 'Mostrar en modo oscuro',
}

export const imageUpload: Translation<typeof english.imageUploadTexts> = { imageFile: 'Archivo de imagen' }

export const bodyEditor: Translation<typeof english.bodyEditorTexts> = {
  section: 'Cuerpo',
  editor: 'Cuerpo (HTML con Liquid)',
  hint: 'Admite Liquid y valores alternativos: <variable/>, <tag/>',
  uploadImage: 'Subir imagen',
  copyImage: 'Copiar etiqueta de imagen',
}

export const status: Translation<typeof english.statusTexts> = {
  emails: {
    SCHEDULED: 'Programado',
    PENDING: 'Pendiente',
    SENDING: 'Enviando',
    SENT: 'Enviado',
    DELIVERED: 'Entregado',
    OPENED: 'Abierto',
    CLICKED: 'Con clic',
    BOUNCED: 'Rebotado',
    COMPLAINED: 'Marcado como spam',
    FAILED: 'Fallido',
    CANCELLED: 'Cancelado',
    SKIPPED: 'Omitido',
    RECEIVED: 'Recibido',
  },
  sources: {
    TRANSACTIONAL: 'Transaccional',
    CAMPAIGN: 'Campaña',
    WORKFLOW: 'Flujo',
    INBOUND: 'Entrante',
    TEST: 'Prueba',
  },
  campaigns: {
    DRAFT: 'Borrador',
    SCHEDULED: 'Programada',
    SENDING: 'Enviando',
    SENT: 'Enviada',
    CANCELLED: 'Cancelada',
    PAUSED: 'Pausada',
    NOT_STARTED: 'No iniciada',
  },
  executions: {
    RUNNING: 'En curso',
    WAITING: 'En espera',
    COMPLETED: 'Completada',
    EXITED: 'Salida',
    SKIPPED: 'Omitida',
    FAILED: 'Fallida',
    CANCELLED: 'Cancelada',
  },
  subscriptions: {
    active: 'Activa',
    trialing: 'En prueba',
    past_due: 'Pago atrasado',
    unpaid: 'Impagada',
    canceled: 'Cancelada',
    incomplete: 'Incompleta',
    incomplete_expired: 'Incompleta y caducada',
    paused: 'Pausada',
  },
  invoices: {
    draft: 'Borrador',
    open: 'Pendiente',
    paid: 'Pagada',
    uncollectible: 'Incobrable',
    void: 'Anulada',
  },
}

export const chart: Translation<typeof english.chartTexts> = {
  day: 'Día',
  today: (day) => `${day}, hasta ahora`,
  todaySoFar: 'Hoy, hasta ahora',
}

export const activities: Translation<typeof english.activityTexts> = {
  entersSegment: (segment) => `Entró en el segmento «${segment}»`,
  leavesSegment: (segment) => `Salió del segmento «${segment}»`,
  types: {
    'email.sent': 'Correo enviado',
    'email.delivery': 'Correo entregado',
    'email.open': 'Correo abierto',
    'email.click': 'Clic en un enlace',
    'email.bounce': 'Correo rebotado',
    'email.complaint': 'Marcado como spam',
    'email.failed': 'Correo fallido',
    'email.received': 'Correo recibido',
    'contact.subscribed': 'Contacto suscrito',
    'contact.confirmed': 'Suscripción confirmada',
    'contact.unsubscribed': 'Contacto dado de baja',
    'campaign.scheduled': 'Campaña programada',
    'campaign.sent': 'Campaña iniciada',
    'workflow.started': 'Flujo iniciado',
    'workflow.completed': 'Flujo completado',
    'workflow.failed': 'Flujo fallido',
  },
}

export const eventLabels: Translation<typeof english.eventLabels> = {
  scheduled: 'Programado',
  queued: 'Aceptado',
  'copy-refused': 'Copia rechazada',
  'copy-deferred': 'Copia retrasada',
  'copy-report': 'Informe sobre una copia',
  'contact.confirmed': 'Confirmado',
  'contact.unsubscribed': 'Dado de baja',
  'contact.subscribed': 'Suscrito',
  'email.sent': 'Enviado',
  'email.delivery': 'Entregado',
  'email.open': 'Abierto',
  'email.click': 'Clic',
  'email.bounce': 'Rebotado',
  'email.complaint': 'Marcado como spam',
  'email.failed': 'Fallido',
  'email.received': 'Recibido',
}

export const topic: Translation<typeof english.topicTexts> = {
  label: 'Tema',
  none: 'Sin tema',
  hint: 'Solo reciben el correo los contactos suscritos al tema.',
}
