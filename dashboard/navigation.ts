/** The pages of a project, in menu order. The command palette lists the same pages. */
import {
  Activity,
  AtSign,
  Ban,
  Braces,
  ChartLine,
  House,
  LayoutTemplate,
  type LucideIcon,
  MailCheck,
  Megaphone,
  Settings,
  Users,
  UsersRound,
  Workflow,
} from 'lucide-react'

export interface Destination {
  /** Below the project's address. */
  path: string
  label: string
  icon: LucideIcon
  /** Opens the page when pressed after G. */
  key: string
}

export const DESTINATIONS: Destination[][] = [
  [
    { path: '', label: 'Overview', icon: House, key: 'o' },
    { path: 'activity', label: 'Activity', icon: Activity, key: 'a' },
    { path: 'analytics', label: 'Analytics', icon: ChartLine, key: 'n' },
  ],
  [
    { path: 'contacts', label: 'Contacts', icon: Users, key: 'c' },
    { path: 'segments', label: 'Segments', icon: UsersRound, key: 's' },
    { path: 'events', label: 'Events', icon: Braces, key: 'v' },
  ],
  [
    { path: 'campaigns', label: 'Campaigns', icon: Megaphone, key: 'm' },
    { path: 'workflows', label: 'Workflows', icon: Workflow, key: 'w' },
    { path: 'templates', label: 'Templates', icon: LayoutTemplate, key: 't' },
    { path: 'emails', label: 'Emails', icon: MailCheck, key: 'e' },
  ],
  [
    { path: 'domains', label: 'Domains', icon: AtSign, key: 'd' },
    { path: 'suppressions', label: 'Suppressions', icon: Ban, key: 'u' },
    { path: 'settings', label: 'Settings', icon: Settings, key: ',' },
  ],
]

/** The sections of the settings page: their name in the address and their label. */
export const SETTINGS_TABS = {
  project: 'General',
  branding: 'Branding',
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
export const SUBPAGES: { path: string; label: string; search?: Record<string, string> }[] = [
  { path: 'contacts', label: 'Add contact', search: { add: '1' } },
  { path: 'campaigns/new', label: 'Create campaign' },
  { path: 'segments/new', label: 'Create segment' },
  { path: 'templates/new', label: 'Create template' },
  { path: 'contacts/import', label: 'Import contacts' },
  { path: 'contacts/fields', label: 'Contact fields' },
]

export const inProjectPath = (projectId: string, path = '') => `/projects/${projectId}${path ? `/${path}` : ''}`
