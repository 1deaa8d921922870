/** Spanish texts of the workflow pages. Those of the step types are in `steps/`. */
import { formatCount, formatNumber } from '../../../../figures/format.ts'
import type { Branch } from '../../../../pages/workflows/steps/step.ts'
import type * as english from '../../../../pages/workflows/texts.ts'
import type { Translation } from '../../../translation.ts'

const count = (amount: number, one: string, many: string) => formatCount(amount, { one, other: many })

const branchName = (branch: NonNullable<Branch>) => ({ yes: 'Sí', no: 'No' })[branch] ?? branch

/** Whether it is the transition of a step that can take the same one for both branches. */
const isEitherBranch = (branch: Branch, branches: Branch[]) => branch === null && branches.length > 1

export const workflows: Translation<typeof english.workflowTexts> = {
  workflow: 'Flujo',
  workflows: 'Flujos',
  enabled: 'Activado',
  disabled: 'Desactivado',
  name: 'Nombre',
  description: 'Descripción',
  event: 'Evento',
  manualStart: 'Inicio manual',
  erasedContact: 'Contacto eliminado',
  invalidJson: 'Esto no es JSON válido.',

  list: {
    lead: 'Envía correos y ejecuta otros pasos automáticamente cuando ocurre algo.',
    create: 'Crear flujo',
    search: 'Buscar flujos',
    columns: {
      trigger: 'Activador',
      status: 'Estado',
      active: 'Activas',
      completed: 'Completadas en 7 días',
      updated: 'Actualizado',
    },
    sort: 'Ordenar por',
    sorts: { '': 'Más recientes', updatedAt: 'Editados recientemente', name: 'Nombre' },
    noTrigger: '–',
    active: (active) => count(active, 'activa', 'activas'),
    noCount: '–',
    actionsFor: (name) => `Acciones para ${name}`,
    emptyTitle: 'Aún no hay flujos',
    empty:
      'Un flujo ejecuta una serie de pasos para un contacto cuando ocurre un evento. Usa uno para dar la bienvenida a clientes nuevos o para recordar carritos abandonados.',
    noMatchTitle: 'Ningún flujo coincide',
    noMatch: 'Busca otro nombre, descripción o evento.',
    namePlaceholder: 'Bienvenida a usuarios nuevos',
    triggerEvent: 'Evento activador',
    triggerHint: 'El flujo se inicia para un contacto cuando ocurre este evento. Puedes cambiar el activador después.',
    cancel: 'Cancelar',
    submit: 'Crear flujo',
    import: 'Importar flujo',
    importFile: 'Archivo de flujo (JSON)',
    importNotJson: 'Este archivo no es JSON válido. Elige un archivo exportado de un flujo.',
    imported: 'Flujo importado. Actívalo para que empiecen ejecuciones.',
  },

  starters: {
    title: 'O empieza con un flujo ya preparado',
    upgraded: 'Mejora de plan',
    names: {
      welcome: 'Dar la bienvenida a usuarios nuevos',
      trial: 'Avisar a los usuarios antes de que acabe la prueba',
      returning: 'Recuperar usuarios inactivos',
    },
    descriptions: {
      welcome: 'Envía un correo de bienvenida tras el registro y una encuesta una semana después.',
      trial: 'Envía un recordatorio 11 días después de que empiece una prueba, salvo que el contacto mejore su plan.',
      returning: 'Envía un correo a los usuarios inactivos y registra quién vuelve en dos semanas.',
    },
  },

  one: {
    tabs: { graph: 'Editor', executions: 'Ejecuciones', settings: 'Ajustes' },
    enable: 'Activar flujo',
    disable: 'Desactivar flujo',
    disableShort: 'Desactivar',
    enabledToast: 'Flujo activado.',
    disabledToast: 'Flujo desactivado. Las ejecuciones activas continúan.',
    duplicate: 'Duplicar flujo',
    duplicated: 'Flujo duplicado. La copia está desactivada.',
    export: 'Exportar flujo',
    deleted: 'Flujo eliminado.',
    delete: { title: '¿Eliminar este flujo?', action: 'Eliminar flujo' },
    deleteHint: 'El flujo y sus ejecuciones se eliminan de forma permanente. Cancela primero las ejecuciones activas.',
  },

  settings: {
    general: 'Nombre y descripción',
    triggerTitle: 'Activador, reentrada y objetivo',
    tags: 'Etiquetas',
    tagsLead: 'Usa etiquetas para filtrar la lista de flujos. Los cambios se guardan al instante.',
    trigger: 'Activador',
    triggers: { EVENT: 'Un evento', MANUAL: 'Solo inicio manual' },
    reentry: 'Reentrada',
    reentryModes: {
      once: 'Cada contacto entra una sola vez',
      always: 'Los contactos pueden volver a entrar al terminar',
      interval: 'Los contactos pueden volver a entrar pasados unos días',
    },
    reentryHints: {
      once: 'Un contacto que ya estuvo en el flujo no vuelve a entrar nunca.',
      always: 'Un contacto puede entrar en cuanto haya terminado su última ejecución.',
      interval:
        'Los días se cuentan desde la última vez que entró el contacto, y su última ejecución debe haber terminado.',
    },
    reentryDays: 'Días',
    goal: 'Objetivo (opcional)',
    goalHint:
      'Cuando este evento ocurre para un contacto, su ejecución se completa esté donde esté y cuenta como conversión.',
    recorded: (times, contacts) =>
      `Registrado ${count(times, 'vez', 'veces')} para ${count(contacts, 'contacto', 'contactos')}.`,
    notRecorded: 'No hay eventos guardados con este nombre.',
    triggerChange:
      'Un activador nuevo se aplica a los contactos que entran desde ahora. Los contactos que ya están en el flujo continúan.',
    save: 'Guardar ajustes',
    saved: 'Ajustes guardados.',
  },

  graph: {
    label: 'Gráfico del flujo',
    palette: 'Tipos de paso',
    paletteHint: 'Haz clic en un tipo para añadir un paso o arrástralo a una conexión.',
    trigger: 'Activador',
    noEvent: 'Ningún evento seleccionado',
    notConfigured: 'Aún sin configurar',
    incomplete: 'Completa este paso',
    notReached: 'No alcanzado',
    unconnected: 'Ningún paso lleva aquí',
    loop: 'Estos pasos no se pueden conectar, porque el segundo lleva de vuelta al primero.',
    selfConnection: 'Un paso no puede llevar a sí mismo.',
    change: { added: 'Nuevo', changed: 'Editado' },
    counts: {
      none: 'Aún sin contactos',
      active: (amount) => `${amount} aquí ahora`,
      entered: (amount) => `Entradas: ${amount}`,
      emails: (sent, opened, clicked) => `Enviados: ${sent} · ${opened} abiertos · ${clicked} con clic`,
      failed: (amount) => `Fallos: ${amount}`,
      converted: (share) => `${share} de conversión`,
    },
    addFirst: 'Añadir el primer paso',
    addBefore: (step) => `Añadir un paso antes de «${step}»`,
    addBetween: (from, to) => `Añadir un paso entre «${from}» y «${to}»`,
    addAfter: (step, branch) =>
      branch
        ? `Añadir un paso después de «${step}» en la rama «${branchName(branch)}»`
        : `Añadir un paso después de «${step}»`,
    removeConnection: (from, to) => `Quitar la conexión de «${from}» a «${to}»`,
    connectionLabel: (from, to, when) => `De «${from}» a «${to}»${when && `, ${when}`}`,
    stepLabel: (step, active) =>
      active > 0 ? `Paso «${step}», ${count(active, 'contacto está', 'contactos están')} aquí ahora` : `Paso «${step}»`,
    triggerLabel: (trigger) => `Activador: ${trigger}`,
    aria: {
      'node.a11yDescription.default':
        'Pulsa Entrar para editar el paso, Supr para quitarlo y las teclas de flecha para moverlo mientras está seleccionado.',
      'node.a11yDescription.keyboardDisabled': 'Pulsa Entrar para editar el paso.',
      'edge.a11yDescription.default': 'Pulsa Entrar para seleccionar la conexión y después Supr para quitarla.',
      'controls.ariaLabel': 'Vista',
      'controls.zoomIn.ariaLabel': 'Acercar',
      'controls.zoomOut.ariaLabel': 'Alejar',
      'controls.fitView.ariaLabel': 'Mostrar todo el gráfico',
    },
  },

  tools: {
    label: 'Herramientas del gráfico',
    undo: 'Deshacer',
    redo: 'Rehacer',
    tidy: 'Ordenar el gráfico',
    tidyShort: 'Ordenar',
    simulate: 'Simular flujo',
    simulateShort: 'Simular',
    versions: 'Mostrar versiones',
    versionsShort: 'Versiones',
  },

  trigger: {
    title: 'Activador',
    lead: 'Elige qué inicia este flujo para un contacto.',
    save: 'Guardar activador',
    saved: 'Activador guardado.',
  },

  publishing: {
    label: 'Cambios sin publicar',
    summary: ({ added, changed, removed }) => {
      const parts = [
        added.length > 0 && count(added.length, 'añadido', 'añadidos'),
        changed.length > 0 && count(changed.length, 'editado', 'editados'),
        removed.length > 0 && count(removed.length, 'quitado', 'quitados'),
      ].filter((part) => part !== false)
      return parts.length > 0 ? `Pasos sin publicar: ${parts.join(', ')}` : 'Cambios sin publicar'
    },
    saved: 'Borrador guardado.',
    saving: 'Guardando el borrador…',
    failed: 'No se pudo guardar el borrador.',
    conflict: 'El borrador se cambió en otra ventana. El tuyo solo está en esta.',
    saveOver: 'Guardar mi versión',
    outdated: 'Los pasos publicados se cambiaron después de empezar este borrador. Al publicar, se reemplazan.',
    retry: 'Guardar de nuevo',
    reload: 'Cargar el otro borrador',
    publish: 'Publicar cambios',
    published: 'Cambios publicados. Los contactos siguen los pasos nuevos desde ahora.',
    publishedDisabled: 'Cambios publicados. Activa el flujo para que empiecen ejecuciones.',
    invalid: 'Completa los pasos marcados antes de publicar.',
    discard: 'Descartar cambios',
    discardTitle: '¿Descartar los cambios sin publicar?',
    discardEffect: ({ added, changed, removed }) =>
      `El gráfico vuelve a la versión publicada: ${count(added.length, 'paso nuevo se quita', 'pasos nuevos se quitan')}, ${count(changed.length, 'edición se revierte', 'ediciones se revierten')} y ${count(removed.length, 'paso quitado se restaura', 'pasos quitados se restauran')}. Puedes deshacerlo hasta que salgas de la página.`,
    keep: 'Mantener cambios',
  },

  removal: {
    title: (step, steps) => (step ? `¿Quitar «${step}»?` : `¿Quitar ${steps} pasos?`),
    lead: (contacts, steps) =>
      `${count(contacts, 'contacto está', 'contactos están')} en ${steps === 1 ? 'este paso' : 'estos pasos'} y ${contacts === 1 ? 'sigue' : 'siguen'} ahí hasta que publiques tus cambios. Elige qué ocurre entonces.`,
    choice: 'Qué ocurre con ellos',
    move: {
      title: 'Moverlos al siguiente paso',
      hint: 'Continúan de inmediato con el siguiente paso. Si no hay ninguno, sus ejecuciones se completan.',
    },
    moveTo: (step, branch) =>
      step
        ? {
            title: 'Moverlos al siguiente paso',
            hint: `Continúan de inmediato con «${step}»${branch ? `, como en la rama «${branch}»` : ''}.`,
          }
        : { title: 'Completar sus ejecuciones', hint: 'No sigue ningún paso, así que llegan al final del flujo.' },
    cancel: { title: 'Cancelar sus ejecuciones', hint: 'Salen del flujo y no reciben nada más de él.' },
    keep: (steps) => (steps === 1 ? 'Mantener el paso' : 'Mantener los pasos'),
    remove: (steps) => (steps === 1 ? 'Quitar paso' : 'Quitar pasos'),
  },

  enabling: {
    title: 'Activar este flujo',
    lead: 'Se inicia cuando los contactos entran en un segmento.',
    label: 'Iniciar para',
    options: {
      new: {
        title: 'Contactos que entren desde ahora',
        hint: 'Para los contactos que ya están en el segmento no se inicia.',
      },
      all: {
        title: 'También los que ya están dentro',
        hint: 'Para los contactos que ya estuvieron en este flujo solo se inicia si permite la reentrada.',
      },
    },
    cancel: 'Cancelar',
    enable: 'Activar flujo',
  },

  versions: {
    title: 'Versiones',
    lead: 'Cada vez que publicas, el gráfico se guarda como una versión.',
    empty: 'Aún no hay versiones. Publica tus cambios para crear la primera.',
    name: (number) => `Versión ${formatNumber(number)}`,
    current: '(la última)',
    steps: (steps) => count(steps, 'paso', 'pasos'),
    numbers: (started, completed, failed) =>
      `${count(started, 'contacto empezó', 'contactos empezaron')} · ${completed} completadas · ${failed} fallidas`,
    converted: (share) => `${share} alcanzó el objetivo`,
    numbersHint: `Contactos que empezaron con esta versión, como máximo los ${formatNumber(5000)} más recientes.`,
    restore: 'Cargar como borrador',
    restoreLabel: (number) => `Cargar la versión ${formatNumber(number)} como borrador`,
    restored: (number) => `La versión ${formatNumber(number)} es ahora el borrador. Publícala para usarla.`,
  },

  start: {
    open: 'Iniciar para contactos',
    title: 'Iniciar este flujo',
    lead: 'Se omiten los contactos que ya están en el flujo o que no pueden volver a entrar.',
    audience: 'Iniciar para',
    audiences: { contact: 'Un contacto', segment: 'Un segmento' },
    segment: 'Segmento',
    segmentSize: (members) => `${count(members, 'contacto', 'contactos')} en este segmento.`,
    submit: 'Iniciar flujo',
    startedContact: (email) => `Flujo iniciado para ${email}.`,
    startedSegment: (segment) => `Iniciando el flujo para los contactos de «${segment}».`,
  },

  branches: {
    name: branchName,
    next: (branch, branches) => {
      if (branch) return `Siguiente paso en la rama «${branchName(branch)}»`
      return isEitherBranch(branch, branches) ? 'Siguiente paso en ambos casos' : 'Siguiente paso'
    },
  },

  step: {
    label: 'Paso',
    close: 'Cerrar panel',
    none: 'Ninguno',
    duplicate: 'Duplicar',
    remove: 'Quitar paso',
    removeMany: (steps) => `Quitar ${count(steps, 'paso', 'pasos')}`,
    removedToast: (steps) => count(steps, 'paso quitado.', 'pasos quitados.'),
    selected: (steps) => count(steps, 'paso seleccionado', 'pasos seleccionados'),
    selectedHint: 'Arrastra los pasos para moverlos juntos, o cópialos con Ctrl+C y pégalos en cualquier flujo.',
    removed: (type) => `${type} (quitado)`,
  },

  simulation: {
    title: 'Simular',
    lead: 'Comprueba qué pasos se ejecutarían para un contacto. No se envía ni se cambia nada.',
    contact: 'Contacto',
    assumeEvents: 'Suponer que ocurren los eventos que espera el flujo',
    eventData: 'Datos del evento (JSON)',
    submit: 'Ejecutar simulación',
    incomplete: 'Completa los pasos marcados antes de simular el flujo.',
    clear: 'Borrar',
    path: 'Recorrido simulado',
    result: 'Resultado:',
  },
}
