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
import { destinationTexts } from './shell/destination-texts.ts'

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
    { page: '/', label: destinationTexts.pages['/'], icon: House, key: 'o' },
    { page: 'activity', label: destinationTexts.pages.activity, icon: Activity, key: 'a' },
    { page: 'analytics', label: destinationTexts.pages.analytics, icon: ChartLine, key: 'n' },
  ],
  [
    { page: 'contacts', label: destinationTexts.pages.contacts, icon: Users, key: 'c' },
    { page: 'segments', label: destinationTexts.pages.segments, icon: UsersRound, key: 's' },
    { page: 'topics', label: destinationTexts.pages.topics, icon: Newspaper, key: 'p' },
    { page: 'forms', label: destinationTexts.pages.forms, icon: ClipboardPen, key: 'f' },
    { page: 'events', label: destinationTexts.pages.events, icon: Braces, key: 'v' },
  ],
  [
    { page: 'campaigns', label: destinationTexts.pages.campaigns, icon: Megaphone, key: 'm' },
    { page: 'workflows', label: destinationTexts.pages.workflows, icon: Workflow, key: 'w' },
    { page: 'templates', label: destinationTexts.pages.templates, icon: LayoutTemplate, key: 't' },
    { page: 'emails', label: destinationTexts.pages.emails, icon: MailCheck, key: 'e' },
  ],
  [
    { page: 'domains', label: destinationTexts.pages.domains, icon: AtSign, key: 'd' },
    { page: 'suppressions', label: destinationTexts.pages.suppressions, icon: Ban, key: 'u' },
    { page: 'webhooks', label: destinationTexts.pages.webhooks, icon: Webhook, key: 'h' },
    { page: 'requests', label: destinationTexts.pages.requests, icon: Logs, key: 'r' },
    { page: 'settings', label: destinationTexts.pages.settings, icon: Settings, key: ',' },
  ],
]

/** The sections of the settings page. */
export const SETTINGS_TABS = destinationTexts.settings

/** Further sections, for the operator of the installation. */
export const OPERATOR_TABS = destinationTexts.operator

const { subpages } = destinationTexts

/** Pages and dialogs that are opened from another page. */
export const SUBPAGES: { label: string; address(projectId: string): Address }[] = [
  { label: subpages.addContact, address: (projectId) => projectPage(projectId, 'contacts', { add: '1' }) },
  { label: subpages.createCampaign, address: (projectId) => projectPage(projectId, 'campaigns/new') },
  { label: subpages.createWorkflow, address: (projectId) => projectPage(projectId, 'workflows', { add: '1' }) },
  { label: subpages.createSegment, address: (projectId) => projectPage(projectId, 'segments/new') },
  { label: subpages.createTemplate, address: (projectId) => projectPage(projectId, 'templates/new') },
  { label: subpages.createForm, address: (projectId) => projectPage(projectId, 'forms/new') },
  { label: subpages.createTopic, address: (projectId) => projectPage(projectId, 'topics', { add: '1' }) },
  { label: subpages.addDomain, address: (projectId) => projectPage(projectId, 'domains', { add: '1' }) },
  { label: subpages.addWebhook, address: (projectId) => projectPage(projectId, 'webhooks', { add: '1' }) },
  { label: subpages.suppressAddress, address: (projectId) => projectPage(projectId, 'suppressions', { add: '1' }) },
  { label: subpages.importContacts, address: (projectId) => projectPage(projectId, 'contacts/import') },
  { label: subpages.move, address: (projectId) => projectPage(projectId, 'contacts/move') },
  { label: subpages.gallery, address: (projectId) => projectPage(projectId, 'templates/gallery') },
  { label: subpages.layouts, address: (projectId) => projectPage(projectId, 'templates/layouts') },
  { label: subpages.pendingContacts, address: (projectId) => projectPage(projectId, 'contacts/pending') },
  { label: subpages.contactFields, address: (projectId) => projectPage(projectId, 'contacts/fields') },
]
