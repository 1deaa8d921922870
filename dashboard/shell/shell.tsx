/** The layout of every project page: navigation, project switcher, account menu and command palette. */
import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Check, ChevronsUpDown, Menu as MenuIcon, Plus, Search, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { accountPage, projectPage } from '../addresses.ts'
import { meQuery, projectsQuery, type Schemas } from '../data/api.ts'
import { isSignedOut } from '../data/errors.ts'
import { useProjectId } from '../data/project.ts'
import { useSignInAgain } from '../data/use-sign-in-again.ts'
import { followLanguage } from '../languages/load.ts'
import { Link, useNavigate } from '../links.tsx'
import { Problem } from '../lists/problem.tsx'
import { DESTINATIONS } from '../navigation.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { AccountMenu } from './account-menu.tsx'
import { NotFoundPage } from './error-pages.tsx'
import { Horn } from './horn.tsx'
import { Loading } from './page.tsx'
import { modKey, useShortcuts } from './shortcuts.ts'
import { navigationTexts, paletteTexts, sharedTexts } from './texts.ts'

const loadPalette = () => import('./palette/palette.tsx')
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })))
const ShortcutHelp = lazy(() => import('./shortcut-help.tsx').then((module) => ({ default: module.ShortcutHelp })))
const LAST_PROJECT = 'posthorn.project'
/** What people do before they open the palette. */
const FIRST_ACTIONS = ['pointermove', 'pointerdown', 'keydown']

export function ProjectShell() {
  const projectId = useProjectId()
  const { data: projects, error, refetch } = useQuery(projectsQuery)
  const signInAgain = useSignInAgain()
  useEffect(() => {
    if (error && isSignedOut(error)) signInAgain()
  }, [error, signInAgain])
  useEffect(() => localStorage.setItem(LAST_PROJECT, projectId), [projectId])
  const { data: me } = useQuery(meQuery)
  useEffect(() => {
    if (me) followLanguage(me.language)
  }, [me])

  if (error && !projects) {
    return isSignedOut(error) ? null : (
      <main className="mx-auto max-w-xl p-8">
        <Problem error={error} retry={() => void refetch()} />
      </main>
    )
  }
  if (!projects) return <Loading />
  const project = projects.find(({ id }) => id === projectId)
  return project ? <Frame project={project} projects={projects} /> : <NotFoundPage />
}

interface FrameProps {
  project: Schemas['Project']
  projects: Schemas['Project'][]
}

function Frame(props: FrameProps) {
  const [menuOpen, setMenuOpen] = useState(false)
  const [palette, setPalette] = useState(false)
  const [help, setHelp] = useState(false)
  const path = useRouterState({ select: (state) => state.location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes on navigation.
  useEffect(() => setMenuOpen(false), [path])
  useEffect(() => {
    // Loaded early, so that no keys are lost when typing right after the shortcut, but not with the first page.
    const waiting = new AbortController()
    const load = () => {
      waiting.abort()
      loadPalette().catch(() => {}) // opening it reports the failure
    }
    for (const action of FIRST_ACTIONS) addEventListener(action, load, { signal: waiting.signal, passive: true })
    return () => waiting.abort()
  }, [])
  // On a phone, the menu covers the page: the focus goes with it, and back to its button.
  const menu = useRef<HTMLElement>(null)
  const hadMenu = useRef(false)
  useEffect(() => {
    const [closeButton, openButton] = ['[data-close-menu]', '[data-open-menu]'].map((one) =>
      document.querySelector<HTMLElement>(one),
    )
    if (menuOpen) closeButton?.focus()
    else if (hadMenu.current && (isNowhere(document.activeElement) || menu.current?.contains(document.activeElement)))
      openButton?.focus()
    hadMenu.current = menuOpen
  }, [menuOpen])
  useShortcuts({ togglePalette: () => setPalette((now) => !now), openHelp: () => setHelp(true) })

  return (
    <div className="min-h-[calc(100dvh-var(--notice))] pt-(--notice) lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)]">
      <a
        href={`${path}#content`}
        onClick={focusContent}
        className="sr-only z-50 rounded-part bg-card p-3 focus:not-sr-only focus:fixed focus:top-2 focus:start-2"
      >
        {navigationTexts.skip}
      </a>
      <header className="sticky top-(--notice) z-20 flex h-14 items-center justify-between border-b border-line bg-paper px-3 lg:hidden">
        <IconButton
          data-open-menu
          label={navigationTexts.openMenu}
          aria-expanded={menuOpen}
          onClick={() => setMenuOpen(true)}
        >
          <MenuIcon />
        </IconButton>
        <span className="min-w-0 truncate font-medium">{props.project.name}</span>
        <IconButton label={paletteTexts.label} onClick={() => setPalette(true)}>
          <Search />
        </IconButton>
      </header>
      {menuOpen && (
        <div className="fixed inset-0 z-30 bg-shade lg:hidden" onClick={() => setMenuOpen(false)} aria-hidden />
      )}
      <aside
        ref={menu}
        className={`fixed inset-y-0 start-0 z-30 flex w-64 flex-col border-e border-line bg-paper px-3 py-4 lg:sticky lg:top-(--notice) lg:h-[calc(100dvh-var(--notice))] lg:w-auto ${menuOpen ? '' : 'max-lg:hidden'}`}
      >
        <div className="mb-4 flex items-center justify-between ps-2">
          <Link
            to={projectPage(props.project.id, '/')}
            className="flex items-center gap-2 font-semibold tracking-tight"
          >
            <Horn /> {sharedTexts.productName}
          </Link>
          <IconButton
            data-close-menu
            label={navigationTexts.closeMenu}
            className="lg:hidden"
            onClick={() => setMenuOpen(false)}
          >
            <X />
          </IconButton>
        </div>
        <ProjectSwitcher {...props} />
        <button
          type="button"
          onClick={() => setPalette(true)}
          className="mt-2 mb-4 flex h-9 items-center gap-2 rounded-part px-2.5 text-sm text-soft hover:bg-panel hover:text-ink"
        >
          <Search className="size-4" aria-hidden />
          <span className="flex-1 text-start">{navigationTexts.search}</span>
          <kbd className="rounded border border-line px-1.5 font-sans text-[0.6875rem]">{modKey('K')}</kbd>
        </button>
        <Navigation project={props.project} />
        <AccountMenu />
      </aside>
      <main id="content" tabIndex={-1} className="min-w-0 focus:outline-none">
        {props.project.disabled && (
          <p role="alert" className="border-b border-bad/30 bg-bad-wash px-8 py-2.5 text-sm text-bad">
            {navigationTexts.disabled(props.project.disabledReason)}
          </p>
        )}
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <Suspense>
        {palette && <Palette onClose={() => setPalette(false)} onHelp={() => setHelp(true)} />}
        {help && <ShortcutHelp onClose={() => setHelp(false)} />}
      </Suspense>
    </div>
  )
}

const isNowhere = (element: Element | null) => element === null || element === document.body

function focusContent(event: React.MouseEvent): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

function Navigation({ project }: { project: Schemas['Project'] }) {
  return (
    <nav aria-label={navigationTexts.project} className="flex-1 space-y-4 overflow-y-auto">
      {DESTINATIONS.map((group) => (
        <ul key={group[0]!.page} className="space-y-0.5">
          {group.map(({ page, label, icon: Icon }) => (
            <li key={page}>
              <Link
                to={projectPage(project.id, page)}
                activeOptions={{ exact: page === '/', includeSearch: false }}
                className="flex h-8.5 items-center gap-2.5 rounded-part px-2.5 text-sm text-soft transition-colors hover:bg-panel hover:text-ink aria-[current=page]:bg-panel aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:[&_svg]:text-accent"
              >
                <Icon className="size-4" aria-hidden />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  )
}

function ProjectSwitcher({ project, projects }: FrameProps) {
  const navigate = useNavigate()
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex h-11 w-full items-center gap-2.5 rounded-part border border-line bg-card px-2.5 text-start text-sm shadow-lift hover:border-line-strong"
        >
          <span
            aria-hidden
            className="flex size-6 shrink-0 items-center justify-center rounded bg-accent-wash text-xs font-semibold text-accent uppercase"
          >
            {project.name.charAt(0)}
          </span>
          <span className="sr-only">{navigationTexts.project} </span>
          <span className="min-w-0 flex-1 truncate font-medium">{project.name}</span>
          <ChevronsUpDown className="size-4 text-soft" aria-hidden />
        </button>
      }
      groups={[
        projects.map((one) => ({
          label: (
            <>
              <span className="min-w-0 flex-1 truncate">{one.name}</span>
              {one.id === project.id && <Check aria-hidden />}
            </>
          ),
          checked: one.id === project.id,
          onSelect: () => void navigate(projectPage(one.id, '/')),
        })),
        [
          {
            label: (
              <>
                <Plus aria-hidden /> {navigationTexts.newProject}
              </>
            ),
            onSelect: () => void navigate(accountPage('/projects/new')),
          },
        ],
      ]}
    />
  )
}
