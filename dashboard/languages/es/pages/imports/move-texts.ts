/** Spanish texts of the page that moves contacts from another service. */
import { formatNumber, pickPlural } from '../../../../figures/format.ts'
import type * as english from '../../../../pages/imports/move-texts.ts'
import type { Translation } from '../../../translation.ts'
import { shared } from '../../shell/texts.ts'

export const move: Translation<typeof english.moveTexts> = {
  title: 'Migrar desde otro servicio',
  lead: 'Trae contactos con sus datos, bajas, temas y plantillas. Quienes se dieron de baja siguen de baja.',
  back: 'Importar contactos',
  service: 'Servicio',
  files: 'Archivos de la exportación',
  filesOf: (what) => `${what}. Los archivos se leen en tu navegador, así que pueden tener cualquier tamaño.`,
  choose: 'Elegir archivos',
  chosen: (names) => names.join(', '),
  none: 'Aún no has elegido archivos.',
  subscribe: 'Suscribir a quienes no tienen estado de suscripción en la exportación',
  subscribeHint:
    'Solo si todas esas personas aceptaron recibir tus correos. Quienes se dieron de baja nunca se suscriben.',
  from: 'Remitente de las plantillas',
  fromHint: 'Para las plantillas y campañas que no tienen.',
  check: 'Ver los cambios',
  checking: (contacts) => `Leyendo la exportación… ${shared.contacts(contacts)} hasta ahora.`,
  moving: (contacts) => `Migrando… ${shared.contacts(contacts)} hasta ahora. Mantén abierta esta página.`,
  preview: 'Vista previa',
  previewLead: 'Aún no se ha cambiado nada.',
  start: 'Migrar contactos',
  confirmTitle: (contacts) => `¿Migrar ${shared.contacts(contacts)}?`,
  confirm:
    'Primero se guardan las bajas y las supresiones. Los contactos existentes conservan los valores que no tiene la exportación.',
  completed: 'Migración completada',
  completedLead: 'Puedes repetirla en cualquier momento: lo que ya está aquí no cambia.',
  problems: (count) => pickPlural(count, { one: '1 problema', other: `${formatNumber(count)} problemas` }),
  problemsLead: 'Estas entradas no se migraron. Todas las demás sí.',
  problem: { place: 'Lugar', entry: 'Entrada', reason: 'Motivo' },
  placeOf: (file, line) => (line === undefined ? file : `${file}, línea ${line}`),
  link: 'Migrar desde otro servicio',
}
