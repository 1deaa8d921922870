/** Texts of the settings page and its tabs. */
import { translated } from '../../languages/language.ts'
import { accountTexts } from './account/texts.ts'
import { developerTexts } from './developers/texts.ts'
import { installationTexts } from './installation-texts.ts'
import { projectTexts } from './project-texts.ts'
import { sendingTexts } from './sending/texts.ts'
import { teamTexts } from './team/texts.ts'

export const settingsTexts = translated('settings', {
  title: 'Settings',
  /** Below the title of a section. */
  leads: {
    project: 'The name of this project, and what applies to all of its emails.',
    branding: 'Used in visual emails, in the footer of marketing emails, and on the unsubscribe and preference pages.',
    sending:
      'When marketing email is sent and how much of it, what its links contain, and what counts as a conversion.',
    usage: 'How many emails this project uses each month, and its limits.',
    security: 'How often your emails bounce or are reported as spam. Mailbox providers reject senders with high rates.',
    members: 'The people who can work in this project.',
    'audit-log': 'Changes to the project, newest first. Entries can’t be edited or deleted.',
    keys: 'Your apps authenticate with these keys.',
    smtp: 'Send from apps that use SMTP instead of the API, and receive email for your domains.',
    account: 'How you sign in. It’s the same in all of your projects.',
    installation: 'Only operators of this installation can see this page.',
    'system-mail': 'Invitations, address confirmations and password resets.',
  },
  unknownBrowser: 'Unknown browser',
  browserOnSystem: (browser: string, system: string) => `${browser} on ${system}`,
  projectTitle: 'Project settings',
  export: {
    title: 'Export',
    lead: 'Download everything of this project as a ZIP archive of JSON Lines: contacts, consents, topics, templates, campaigns, workflows, emails and events. The audit log records it.',
    action: 'Export project',
  },
  groups: {
    project: 'Project',
    team: 'Team',
    developers: 'Developers',
    account: 'Personal',
    installation: 'Installation',
  },
})

export const texts = {
  ...settingsTexts,
  ...projectTexts,
  ...sendingTexts,
  ...teamTexts,
  ...developerTexts,
  ...accountTexts,
  ...installationTexts,
}
