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
}

export const DESTINATIONS: Destination[][] = [
  [
    { path: '', label: 'Overview', icon: House },
    { path: 'activity', label: 'Activity', icon: Activity },
    { path: 'analytics', label: 'Analytics', icon: ChartLine },
  ],
  [
    { path: 'contacts', label: 'Contacts', icon: Users },
    { path: 'segments', label: 'Segments', icon: UsersRound },
    { path: 'events', label: 'Events', icon: Braces },
  ],
  [
    { path: 'campaigns', label: 'Campaigns', icon: Megaphone },
    { path: 'workflows', label: 'Workflows', icon: Workflow },
    { path: 'templates', label: 'Templates', icon: LayoutTemplate },
    { path: 'emails', label: 'Emails', icon: MailCheck },
  ],
  [
    { path: 'domains', label: 'Domains', icon: AtSign },
    { path: 'suppressions', label: 'Suppressions', icon: Ban },
    { path: 'settings', label: 'Settings', icon: Settings },
  ],
]

/** The sections of the settings page: their name in the address and their label. */
export const SETTINGS_TABS = {
  project: 'Project',
  usage: 'Usage and billing',
  security: 'Reputation',
  members: 'Members',
  'audit-log': 'Audit log',
  keys: 'API keys',
  smtp: 'SMTP and inbound',
  account: 'Account',
}

/** Further sections, for the operator of the installation. */
export const OPERATOR_TABS = { installation: 'Installation', 'system-mail': 'System mail' }

/** Pages that are opened from another page. */
export const SUBPAGES = [
  { path: 'campaigns/new', label: 'Create campaign' },
  { path: 'segments/new', label: 'Create segment' },
  { path: 'templates/new', label: 'Create template' },
  { path: 'contacts/import', label: 'Import contacts' },
  { path: 'contacts/fields', label: 'Contact fields' },
]

export const inProjectPath = (projectId: string, path = '') => `/projects/${projectId}${path ? `/${path}` : ''}`
