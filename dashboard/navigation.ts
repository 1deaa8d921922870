/** The pages of a project, in menu order. The command palette lists the same pages. */
import {
  Activity,
  AtSign,
  Ban,
  Braces,
  ChartLine,
  ClipboardPen,
  House,
  LayoutTemplate,
  Logs,
  type LucideIcon,
  MailCheck,
  Megaphone,
  Newspaper,
  Settings,
  Users,
  UsersRound,
  Webhook,
  Workflow,
} from 'lucide-react'
import { type Address, type ProjectPage, projectPage } from './addresses.ts'

/** Pages that can be opened without parameters of their path. */
type MenuPage = { [P in ProjectPage]: P extends `${string}$${string}` ? never : P }[ProjectPage]

export interface Destination {
  page: MenuPage
  label: string
  icon: LucideIcon
  /** Opens the page when pressed after G. */
  key: string
}

export const DESTINATIONS: Destination[][] = [
  [
    { page: '/', label: 'Overview', icon: House, key: 'o' },
    { page: 'activity', label: 'Activity', icon: Activity, key: 'a' },
    { page: 'analytics', label: 'Analytics', icon: ChartLine, key: 'n' },
  ],
  [
    { page: 'contacts', label: 'Contacts', icon: Users, key: 'c' },
    { page: 'segments', label: 'Segments', icon: UsersRound, key: 's' },
    { page: 'topics', label: 'Topics', icon: Newspaper, key: 'p' },
    { page: 'forms', label: 'Forms', icon: ClipboardPen, key: 'f' },
    { page: 'events', label: 'Events', icon: Braces, key: 'v' },
  ],
  [
    { page: 'campaigns', label: 'Campaigns', icon: Megaphone, key: 'm' },
    { page: 'workflows', label: 'Workflows', icon: Workflow, key: 'w' },
    { page: 'templates', label: 'Templates', icon: LayoutTemplate, key: 't' },
    { page: 'emails', label: 'Emails', icon: MailCheck, key: 'e' },
  ],
  [
    { page: 'domains', label: 'Domains', icon: AtSign, key: 'd' },
    { page: 'suppressions', label: 'Suppressions', icon: Ban, key: 'u' },
    { page: 'webhooks', label: 'Webhooks', icon: Webhook, key: 'h' },
    { page: 'requests', label: 'API requests', icon: Logs, key: 'r' },
    { page: 'settings', label: 'Settings', icon: Settings, key: ',' },
  ],
]

/** The sections of the settings page: their name in the address and their label. */
export const SETTINGS_TABS = {
  project: 'General',
  branding: 'Branding',
  sending: 'Marketing email',
  usage: 'Usage and billing',
  security: 'Reputation',
  members: 'Members',
  'audit-log': 'Audit log',
  keys: 'API keys',
  smtp: 'SMTP and receiving',
  account: 'Account',
}

/** Further sections, for the operator of the installation. */
export const OPERATOR_TABS = { installation: 'Status', 'system-mail': 'System mail' }

/** Pages and dialogs that are opened from another page. */
export const SUBPAGES: { label: string; address(projectId: string): Address }[] = [
  { label: 'Add contact', address: (projectId) => projectPage(projectId, 'contacts', { add: '1' }) },
  { label: 'Create campaign', address: (projectId) => projectPage(projectId, 'campaigns/new') },
  { label: 'Create workflow', address: (projectId) => projectPage(projectId, 'workflows', { add: '1' }) },
  { label: 'Create segment', address: (projectId) => projectPage(projectId, 'segments/new') },
  { label: 'Create template', address: (projectId) => projectPage(projectId, 'templates/new') },
  { label: 'Create form', address: (projectId) => projectPage(projectId, 'forms/new') },
  { label: 'Create topic', address: (projectId) => projectPage(projectId, 'topics', { add: '1' }) },
  { label: 'Add domain', address: (projectId) => projectPage(projectId, 'domains', { add: '1' }) },
  { label: 'Add webhook endpoint', address: (projectId) => projectPage(projectId, 'webhooks', { add: '1' }) },
  { label: 'Suppress address', address: (projectId) => projectPage(projectId, 'suppressions', { add: '1' }) },
  { label: 'Import contacts', address: (projectId) => projectPage(projectId, 'contacts/import') },
  { label: 'Move from another service', address: (projectId) => projectPage(projectId, 'contacts/move') },
  { label: 'Template gallery', address: (projectId) => projectPage(projectId, 'templates/gallery') },
  { label: 'Layouts and saved blocks', address: (projectId) => projectPage(projectId, 'templates/layouts') },
  { label: 'Pending confirmations', address: (projectId) => projectPage(projectId, 'contacts/pending') },
  { label: 'Contact fields', address: (projectId) => projectPage(projectId, 'contacts/fields') },
]
