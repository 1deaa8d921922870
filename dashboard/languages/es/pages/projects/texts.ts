/** Spanish texts of the page that creates a project. */
import type * as english from '../../../../pages/projects/texts.ts'
import type { Translation } from '../../../translation.ts'

export const projects: Translation<typeof english.texts> = {
  title: 'Crear un proyecto',
  lead: 'Cada proyecto tiene sus propios contactos, plantillas, dominios y claves de API. La mayoría de los equipos crean uno por producto.',
  back: 'Volver',
  name: 'Nombre',
  namePlaceholder: 'Mi producto',
  submit: 'Crear proyecto',
  readyTitle: (name) => `${name} ya está listo`,
  readyLead: 'Guarda la clave secreta ahora. No podrás volver a verla.',
  secretKey: 'Clave secreta (para tus servidores)',
  copySecretKey: 'Copiar clave secreta',
  publicKey: 'Clave pública (para registrar eventos en navegadores y aplicaciones)',
  copyPublicKey: 'Copiar clave pública',
  open: 'Abrir proyecto',
}
