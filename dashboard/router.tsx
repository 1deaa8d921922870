/**
 * Every page and its address. Pages are loaded on demand. To add one, add a line here and in addresses.ts, and
 * one in navigation.ts if it belongs in the menu.
 */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { AccountPages, ProjectPage } from './addresses.ts'
import { APP_PATH } from './data/api.ts'
import { ConnectionGuard } from './data/connection.tsx'
import { loadWhenReachable } from './data/reachable.ts'
import { UnsavedGuard } from './data/unsaved.tsx'
import { ErrorPage, NotFoundPage } from './shell/error-pages.tsx'
import { Loading } from './shell/page.tsx'

type Load = () => Promise<Record<string, ComponentType>>

/** Pages outside any project. */
const ACCOUNT_PAGES: Record<keyof AccountPages, [Load, string]> = {
  '/': [() => import('./pages/projects/choose.tsx'), 'ChoosePage'],
  '/sign-in': [() => import('./pages/accounts/sign-in.tsx'), 'SignInPage'],
  '/sign-up': [() => import('./pages/accounts/sign-up.tsx'), 'SignUpPage'],
  '/forgot-password': [() => import('./pages/accounts/forgot-password.tsx'), 'ForgotPasswordPage'],
  '/reset-password': [() => import('./pages/accounts/reset-password.tsx'), 'ResetPasswordPage'],
  '/verify-email': [() => import('./pages/accounts/verify-email.tsx'), 'VerifyEmailPage'],
  '/accept-invitation': [() => import('./pages/accounts/accept-invitation.tsx'), 'AcceptInvitationPage'],
  '/projects/new': [() => import('./pages/projects/create.tsx'), 'CreateProjectPage'],
}

/** Pages below `/projects/{projectId}`. */
const PROJECT_PAGES: Record<ProjectPage, [Load, string]> = {
  '/': [() => import('./pages/overview/overview.tsx'), 'OverviewPage'],
  contacts: [() => import('./pages/contacts/list.tsx'), 'ContactsPage'],
  'contacts/import': [() => import('./pages/imports/import.tsx'), 'ImportPage'],
  'contacts/pending': [() => import('./pages/contacts/pending.tsx'), 'PendingContactsPage'],
  'contacts/move': [() => import('./pages/imports/move.tsx'), 'MovePage'],
  'contacts/fields': [() => import('./pages/contacts/fields.tsx'), 'FieldsPage'],
  'contacts/$id': [() => import('./pages/contacts/one/one.tsx'), 'ContactPage'],
  segments: [() => import('./pages/segments/list.tsx'), 'SegmentsPage'],
  'segments/new': [() => import('./pages/segments/editor.tsx'), 'NewSegmentPage'],
  'segments/$id': [() => import('./pages/segments/one.tsx'), 'SegmentPage'],
  'segments/$id/edit': [() => import('./pages/segments/editor.tsx'), 'EditSegmentPage'],
  templates: [() => import('./pages/templates/list.tsx'), 'TemplatesPage'],
  'templates/new': [() => import('./pages/templates/editor.tsx'), 'NewTemplatePage'],
  'templates/gallery': [() => import('./pages/templates/gallery/gallery.tsx'), 'GalleryPage'],
  'templates/layouts': [() => import('./pages/templates/layouts.tsx'), 'LayoutsPage'],
  'templates/layouts/$id': [() => import('./pages/templates/layout.tsx'), 'LayoutPage'],
  'templates/$id': [() => import('./pages/templates/editor.tsx'), 'TemplatePage'],
  campaigns: [() => import('./pages/campaigns/list.tsx'), 'CampaignsPage'],
  'campaigns/new': [() => import('./pages/campaigns/editor.tsx'), 'NewCampaignPage'],
  'campaigns/$id': [() => import('./pages/campaigns/one/one.tsx'), 'CampaignPage'],
  'campaigns/$id/edit': [() => import('./pages/campaigns/editor.tsx'), 'EditCampaignPage'],
  workflows: [() => import('./pages/workflows/list.tsx'), 'WorkflowsPage'],
  'workflows/$id': [() => import('./pages/workflows/one.tsx'), 'WorkflowPage'],
  'workflows/$id/executions/$executionId': [() => import('./pages/workflows/execution.tsx'), 'ExecutionPage'],
  activity: [() => import('./pages/activity/feed.tsx'), 'ActivityPage'],
  analytics: [() => import('./pages/analytics/analytics.tsx'), 'AnalyticsPage'],
  emails: [() => import('./pages/emails/list.tsx'), 'EmailsPage'],
  'emails/$id': [() => import('./pages/emails/one.tsx'), 'EmailPage'],
  events: [() => import('./pages/events/list.tsx'), 'EventsPage'],
  domains: [() => import('./pages/domains/list.tsx'), 'DomainsPage'],
  webhooks: [() => import('./pages/webhooks/list.tsx'), 'WebhooksPage'],
  'webhooks/$id': [() => import('./pages/webhooks/one.tsx'), 'WebhookPage'],
  requests: [() => import('./pages/requests/list.tsx'), 'RequestsPage'],
  'requests/$id': [() => import('./pages/requests/one.tsx'), 'RequestPage'],
  topics: [() => import('./pages/topics/list.tsx'), 'TopicsPage'],
  forms: [() => import('./pages/forms/list.tsx'), 'FormsPage'],
  'forms/new': [() => import('./pages/forms/editor.tsx'), 'NewFormPage'],
  'forms/$id': [() => import('./pages/forms/one.tsx'), 'FormPage'],
  'forms/$id/edit': [() => import('./pages/forms/editor.tsx'), 'EditFormPage'],
  suppressions: [() => import('./pages/suppressions/list.tsx'), 'SuppressionsPage'],
  settings: [() => import('./pages/settings/settings.tsx'), 'SettingsPage'],
}

const Root = () => (
  <>
    <Outlet />
    <UnsavedGuard />
    <ConnectionGuard />
  </>
)

const lazily = ([load, name]: [Load, string]) => lazyRouteComponent(() => loadWhenReachable(load), name)

export function createAppRouter() {
  const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage })
  const accountPages = Object.entries(ACCOUNT_PAGES).map(([path, page]) =>
    createRoute({ getParentRoute: () => root, path, component: lazily(page) }),
  )
  const project = createRoute({
    getParentRoute: () => root,
    path: '/projects/$projectId',
    component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'ProjectShell'),
  })
  const projectPages = Object.entries(PROJECT_PAGES).map(([path, page]) =>
    createRoute({ getParentRoute: () => project, path, component: lazily(page) }),
  )
  return createRouter({
    routeTree: root.addChildren([...accountPages, project.addChildren(projectPages)]),
    basepath: APP_PATH,
    defaultPendingComponent: Loading,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultPreload: 'intent',
    scrollRestoration: true,
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(search as Record<string, string>).toString()
      return text ? `?${text}` : ''
    },
  })
}
