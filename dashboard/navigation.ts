/** The places of a project, in the order of the menu. The command palette offers the same. */
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
  words: string
  icon: LucideIcon
}

export const DESTINATIONS: Destination[][] = [
  [
    { path: '', words: 'Overview', icon: House },
    { path: 'activity', words: 'Activity', icon: Activity },
    { path: 'analytics', words: 'Analytics', icon: ChartLine },
  ],
  [
    { path: 'contacts', words: 'Contacts', icon: Users },
    { path: 'segments', words: 'Segments', icon: UsersRound },
    { path: 'events', words: 'Events', icon: Braces },
  ],
  [
    { path: 'campaigns', words: 'Campaigns', icon: Megaphone },
    { path: 'workflows', words: 'Workflows', icon: Workflow },
    { path: 'templates', words: 'Templates', icon: LayoutTemplate },
    { path: 'emails', words: 'Emails', icon: MailCheck },
  ],
  [
    { path: 'domains', words: 'Domains', icon: AtSign },
    { path: 'suppressions', words: 'Suppressions', icon: Ban },
    { path: 'settings', words: 'Settings', icon: Settings },
  ],
]

/** The tabs of the settings, as they are called in the address and on the page. */
export const SETTINGS_TABS = {
  project: 'Project',
  keys: 'API keys',
  members: 'Members',
  usage: 'Usage and billing',
  security: 'Security',
  'audit-log': 'Audit log',
  account: 'Your account',
}

/** Pages that are reached from another. */
export const BRANCHES = [
  { path: 'campaigns/new', words: 'New campaign' },
  { path: 'segments/new', words: 'New segment' },
  { path: 'templates/new', words: 'New template' },
  { path: 'contacts/import', words: 'Import contacts' },
  { path: 'contacts/fields', words: 'Fields of contacts' },
]

export const inProjectPath = (projectId: string, path = '') => `/projects/${projectId}${path ? `/${path}` : ''}`
