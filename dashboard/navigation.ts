/** The places of a project, in the order of the menu. The command palette offers the same. */
import { AtSign, Ban, Braces, House, LayoutTemplate, type LucideIcon, MailCheck, Settings, Users } from 'lucide-react'

export interface Destination {
  /** Below the project's address. */
  path: string
  words: string
  icon: LucideIcon
}

export const DESTINATIONS: Destination[][] = [
  [{ path: '', words: 'Overview', icon: House }],
  [
    { path: 'contacts', words: 'Contacts', icon: Users },
    { path: 'events', words: 'Events', icon: Braces },
  ],
  [
    { path: 'templates', words: 'Templates', icon: LayoutTemplate },
    { path: 'emails', words: 'Emails', icon: MailCheck },
  ],
  [
    { path: 'domains', words: 'Domains', icon: AtSign },
    { path: 'suppressions', words: 'Suppressions', icon: Ban },
    { path: 'settings', words: 'Settings', icon: Settings },
  ],
]

export const inProjectPath = (projectId: string, path = '') => `/projects/${projectId}${path ? `/${path}` : ''}`
