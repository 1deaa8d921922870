/** Spanish texts of the template pages, and of the email fields that campaigns share. */
import { formatCount, formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/templates/texts.ts'
import type { Translation } from '../../../translation.ts'

export const templates: Translation<typeof english.texts> = {
  title: 'Plantillas',
  lead: 'Correos reutilizables, personalizados para cada contacto.',
  create: 'Crear plantilla',
  column: {
    preview: 'Vista previa',
    name: 'Nombre',
    type: 'Tipo',
    from: 'Remitente',
    lastUsed: 'Último uso',
    updated: 'Actualizada',
  },
  neverUsed: 'Nunca',
  typeAndUpdate: '<type/>, última edición: <when/>',
  search: 'Buscar plantillas',
  type: 'Tipo',
  allTypes: 'Todos los tipos',
  sort: 'Ordenar por',
  sorts: {
    '': 'Editadas recientemente',
    createdAt: 'Más recientes',
    lastUsedAt: 'Usadas recientemente',
    name: 'Nombre',
  },
  thumbnail: (name) => `Vista previa de ${name}`,
  types: { MARKETING: 'Marketing', TRANSACTIONAL: 'Transaccional', HEADLESS: 'Sin pie' },
  emptyTitle: 'Aún no hay plantillas',
  empty:
    'Una plantilla contiene el asunto, el cuerpo y el remitente de un correo. Úsala en solicitudes de API, campañas y flujos.',
  noMatchTitle: 'Ninguna plantilla coincide',
  noMatch: 'Prueba con otra búsqueda u otro tipo.',
  actionsFor: (name) => `Acciones para ${name}`,
  duplicated: 'Plantilla duplicada.',
  deleted: 'Plantilla eliminada.',
  delete: { title: '¿Eliminar esta plantilla?', action: 'Eliminar plantilla' },
  deleteEffect:
    'Las solicitudes de API que usan esta plantilla fallarán. Una plantilla que usa un flujo o una campaña sin terminar no se puede eliminar.',
  openGallery: 'Explorar galería',
  openLayouts: 'Estructuras y bloques guardados',
  gallery: {
    title: 'Galería de plantillas',
    lead: 'Parte de un correo ya preparado. Usa el logo, los colores y la dirección de tu proyecto.',
    category: 'Categoría',
    all: 'Todas las plantillas',
    blank: 'Empezar desde cero',
    use: 'Usar plantilla',
    previewNamed: (name) => `Vista previa de ${name}`,
    useNamed: (name) => `Usar plantilla: ${name}`,
    noSender:
      'Aún no has verificado ningún dominio. Ya puedes editar una plantilla, pero necesitas una dirección de remitente para guardarla.',
    categories: {
      Onboarding: 'Bienvenida',
      Account: 'Cuenta',
      Orders: 'Pedidos y pagos',
      Lifecycle: 'Ciclo de vida',
      Newsletters: 'Boletines y anuncios',
    },
  },
  layouts: {
    title: 'Estructuras y bloques guardados',
    lead: 'Encabezados, pies y bloques que reutilizas en varios correos.',
    layouts: 'Estructuras',
    layoutsLead:
      'Un encabezado y un pie para varios correos. Los cambios se aplican a todos los correos que usan la estructura.',
    layout: 'Estructura',
    name: 'Nombre',
    emails: 'Uso',
    usedIn: (emails) =>
      emails === 0 ? 'Aún en ningún correo' : formatCount(emails, { one: 'correo', other: 'correos' }),
    updatedAt: 'Última edición: <when/>',
    updated: 'Última edición',
    create: 'Crear estructura',
    createLead:
      'Una estructura es un encabezado y un pie. Cuando la cambias, se actualizan todos los correos que la usan.',
    editLead: 'Al guardar, se actualizan todas las plantillas y campañas sin enviar que usan esta estructura.',
    unusedLead: 'Ningún correo usa aún esta estructura. Elígela en los ajustes de un correo.',
    usedLead: (emails) =>
      pickPlural(emails, {
        one: 'Al guardar, se actualiza 1 plantilla o campaña sin enviar que usa esta estructura.',
        other: `Al guardar, se actualizan ${formatNumber(emails)} plantillas y campañas sin enviar que usan esta estructura.`,
      }),
    save: 'Guardar estructura',
    savedDone: 'Estructura guardada. Los correos que la usan se están actualizando.',
    part: 'Parte de la estructura',
    header: 'Encabezado',
    footer: 'Pie',
    content: 'El contenido del correo',
    editPart: (part) => `Editar ${part.toLowerCase()}`,
    emptyTitle: 'Aún no hay estructuras',
    empty:
      'Una estructura es un encabezado y un pie que comparten varios correos. Cámbiala una vez para actualizarlos todos.',
    deleted: 'Estructura eliminada.',
    delete: { title: '¿Eliminar esta estructura?', action: 'Eliminar estructura' },
    deleteEffect: (emails) =>
      emails === 0
        ? 'Ningún correo usa esta estructura.'
        : pickPlural(emails, {
            one: '1 correo usa esta estructura. Elige primero otra estructura para él.',
            other: `${formatNumber(emails)} correos usan esta estructura. Elige primero otra estructura para ellos.`,
          }),
    saved: 'Bloques guardados',
    savedLead:
      'Para guardar un bloque, selecciónalo en el editor y haz clic en el botón del marcador. Cada correo recibe su propia copia.',
    savedEmptyTitle: 'Aún no hay bloques guardados',
    savedEmpty: 'Selecciona un bloque en el editor y guárdalo. Después podrás insertar una copia en otros correos.',
    rename: 'Renombrar',
    renameTitle: 'Renombrar bloque guardado',
    saveName: 'Guardar nombre',
    renamed: 'Bloque guardado renombrado.',
    savedDeleted: 'Bloque guardado eliminado.',
    deleteSaved: { title: '¿Eliminar este bloque guardado?', action: 'Eliminar bloque' },
    deleteSavedEffect: 'Los correos que contienen una copia la conservan.',
  },
  editor: {
    title: 'Plantilla',
    createTitle: 'Crear plantilla',
    save: 'Guardar plantilla',
    saved: 'Plantilla guardada.',
    testContact: 'Personalizar para',
    test: 'Envía el contenido actual, incluidos los cambios sin guardar, como un correo del tipo elegido. Los correos de prueba no crean contactos ni cuentan en las estadísticas.',
  },
  fields: {
    noSender: 'Sin remitente',
    details: 'Remitente y tipo',
    editDetails: 'Editar detalles',
    hideDetails: 'Ocultar detalles',
    name: 'Nombre',
    namePlaceholder: 'Solo lo ve tu equipo',
    type: 'Tipo',
    subject: 'Asunto',
    subjectPlaceholder: 'Hola, {{name ?? "¿qué tal?"}}',
    preheader: 'Preencabezado',
    preheaderPlaceholder: 'Se muestra después del asunto en la bandeja de entrada',
    from: 'Remitente',
    fromPlaceholder: 'hola@tu-dominio.com',
    fromName: 'Nombre del remitente',
    replyTo: 'Responder a',
    replyToPlaceholder: 'Igual que el remitente',
    text: 'Texto sin formato',
    textHint: 'Para programas de correo que no muestran HTML. Déjalo vacío para generarlo a partir del HTML.',
    typeHints: {
      MARKETING:
        'Los correos de marketing se envían solo a los contactos suscritos e incluyen un pie con enlace de baja.',
      TRANSACTIONAL:
        'Los correos transaccionales, como recibos y restablecimientos de contraseña, se envían a todos los contactos y no llevan pie.',
      HEADLESS: 'Los correos de este tipo no llevan pie. Añade tu propio enlace de baja con {{unsubscribeUrl}}.',
    },
  },
  preview: {
    label: 'Vista previa',
    contact: 'Ver como',
    subject: 'Asunto',
    preheader: 'Preencabezado',
    noSubject: '(sin asunto)',
    missing: 'Campos que faltan',
    frame: 'Vista previa del correo',
  },
}
