/** Texts of the page that creates a project. */
import { translated } from '../../languages/language.ts'

export const texts = translated('projects', {
  title: 'Create a project',
  lead: 'Each project has its own contacts, templates, domains and API keys. Most teams create one per product.',
  back: 'Back',
  name: 'Name',
  namePlaceholder: 'My product',
  submit: 'Create project',
  readyTitle: (name: string) => `${name} is ready`,
  readyLead: 'Save the secret key now. You won’t be able to see it again.',
  secretKey: 'Secret key (for your servers)',
  copySecretKey: 'Copy secret key',
  publicKey: 'Public key (for tracking events in browsers and apps)',
  copyPublicKey: 'Copy public key',
  open: 'Open project',
})
