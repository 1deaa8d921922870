/** The command palette: pages, commands, and resources that match the search. */
import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import {
  BookOpen,
  Contrast,
  FilePlus2,
  FolderOpen,
  Keyboard,
  LayoutTemplate,
  LogOut,
  type LucideIcon,
  MailCheck,
  Megaphone,
  Search,
  Settings,
  User,
  UsersRound,
  Workflow,
} from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type Address, accountPage, projectPage } from '../../addresses.ts'
import { projectsQuery, SERVICE_URL, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useDebounced } from '../../data/use-debounced.ts'
import { useNavigate } from '../../links.tsx'
import { chooseTheme, useIsDark } from '../../look/theme.ts'
import { DESTINATIONS, SETTINGS_TABS, SUBPAGES } from '../../navigation.ts'
import { nameOf } from '../../pickers/contact-name.ts'
import { findContacts } from '../../pickers/find-contacts.ts'
import { useSignOut } from '../account-menu.tsx'
import { paletteTexts, sharedTexts, shortcutTexts } from '../texts.ts'
import { type Ranked, rankGroups } from './palette-rank.ts'

const DEBOUNCE_MS = 150
const RESULTS_MAX = 5
/** Shorter texts match too much. */
const SEARCH_LENGTH_MIN = 2

interface ResultGroup {
  heading: string
  icon: LucideIcon
  page: 'contacts/$id' | 'campaigns/$id' | 'templates/$id' | 'workflows/$id' | 'segments/$id' | 'emails/$id'
  items: { id: string; label: string }[]
}

function useSearchResults(search: string): { results: ResultGroup[]; isSettled: boolean } {
  const { projectId, api } = useApi()
  const { data, isFetching } = useQuery({
    queryKey: [projectId, 'palette', search],
    enabled: search.length >= SEARCH_LENGTH_MIN,
    queryFn: async (): Promise<ResultGroup[]> => {
      const page = { search, pageSize: RESULTS_MAX }
      const [contacts, templates, campaigns, workflows, segments, emails] = await Promise.all([
        findContacts(api, search, RESULTS_MAX),
        unwrap(api.templates.list(page)),
        unwrap(api.campaigns.list({ ...page, content: 'false' })),
        unwrap(api.workflows.list(page)),
        unwrap(api.segments.list()),
        unwrap(api.emails.list({ search, limit: RESULTS_MAX })),
      ])
      const named = (items: { id: string; name: string }[]) => items.map(({ id, name }) => ({ id, label: name }))
      const matching = segments
        .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
        .slice(0, RESULTS_MAX)
      return [
        {
          heading: paletteTexts.contacts,
          icon: User,
          page: 'contacts/$id',
          items: contacts.map(({ id, email, data }) => ({ id, label: paletteTexts.contact(email, nameOf(data)) })),
        },
        { heading: paletteTexts.campaigns, icon: Megaphone, page: 'campaigns/$id', items: named(campaigns.data) },
        { heading: paletteTexts.templates, icon: LayoutTemplate, page: 'templates/$id', items: named(templates.data) },
        { heading: paletteTexts.workflows, icon: Workflow, page: 'workflows/$id', items: named(workflows.data) },
        { heading: paletteTexts.segments, icon: UsersRound, page: 'segments/$id', items: named(matching) },
        {
          heading: paletteTexts.emails,
          icon: MailCheck,
          page: 'emails/$id',
          items: emails.data.map(({ id, subject, to }) => ({
            id,
            label: paletteTexts.email(subject || sharedTexts.noSubject, to),
          })),
        },
      ]
    },
  })
  if (search.length < SEARCH_LENGTH_MIN) return { results: [], isSettled: true }
  return { results: data ?? [], isSettled: data !== undefined || !isFetching }
}

interface PaletteEntry extends Ranked {
  value: string
  icon: ReactNode
  keys?: string[] | undefined
  onSelect(): void
}

interface PaletteProps {
  onClose(): void
  onHelp(): void
}

/** What can be opened or done besides the results of the search. */
function useCommands({ onClose, onHelp }: PaletteProps): { heading: string; entries: PaletteEntry[] }[] {
  const { projectId } = useApi()
  const navigate = useNavigate()
  const dark = useIsDark()
  const signOut = useSignOut()
  const { data: projects } = useQuery(projectsQuery)
  const closing = (act: () => unknown) => () => {
    onClose()
    void act()
  }
  const go = (to: Address) => closing(() => navigate(to))
  const command = (label: string, icon: ReactNode, onSelect: () => void, more: Partial<PaletteEntry> = {}) => ({
    value: `command ${label}`,
    label,
    icon,
    onSelect,
    ...more,
  })
  return [
    {
      heading: paletteTexts.goTo,
      entries: DESTINATIONS.flat().map(({ page, label, icon: Icon, key }) => ({
        value: `page ${page}`,
        label,
        icon: <Icon aria-hidden />,
        keys: ['G', key.toUpperCase()],
        onSelect: go(projectPage(projectId, page)),
      })),
    },
    {
      heading: paletteTexts.create,
      entries: [
        ...SUBPAGES.map(({ label, address }) => command(label, <FilePlus2 aria-hidden />, go(address(projectId)))),
        command(dark ? paletteTexts.toLight : paletteTexts.toDark, <Contrast aria-hidden />, () =>
          chooseTheme(dark ? 'light' : 'dark'),
        ),
        command(shortcutTexts.title, <Keyboard aria-hidden />, closing(onHelp), { keys: ['?'] }),
        command(
          paletteTexts.docs,
          <BookOpen aria-hidden />,
          closing(() => window.open(`${SERVICE_URL}/docs`, '_blank')),
        ),
        command(paletteTexts.signOut, <LogOut aria-hidden />, closing(signOut)),
      ],
    },
    {
      heading: paletteTexts.settings,
      entries: Object.entries(SETTINGS_TABS).map(([tab, name]) => ({
        value: `settings ${tab}`,
        label: paletteTexts.settingsTab(name),
        icon: <Settings aria-hidden />,
        isLast: true,
        onSelect: go(projectPage(projectId, 'settings', { tab })),
      })),
    },
    {
      heading: paletteTexts.projects,
      entries: [
        ...(projects ?? []).map(({ id, name }) => ({
          value: `project ${id}`,
          label: name,
          words: `project ${name}`,
          icon: <FolderOpen aria-hidden />,
          onSelect: go(projectPage(id, '/')),
        })),
        command(paletteTexts.newProject, <FilePlus2 aria-hidden />, go(accountPage('/projects/new'))),
      ],
    },
  ]
}

/** The keys that move the selection. */
const isMove = ({ key, ctrlKey }: KeyboardEvent) =>
  ['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(key) || (ctrlKey && ['n', 'j', 'p', 'k'].includes(key))

export function Palette({ onClose, onHelp }: PaletteProps) {
  const { projectId } = useApi()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const typed = text.trim()
  const search = useDebounced(typed, DEBOUNCE_MS)
  const { results, isSettled } = useSearchResults(search)
  const hasAllRows = typed.length < SEARCH_LENGTH_MIN || (typed === search && isSettled)
  const commands = useCommands({ onClose, onHelp })
  const found = (search === typed ? results : []).map(({ heading, icon: Icon, page, items }) => ({
    heading,
    isFound: true,
    entries: items.map(
      ({ id, label }): PaletteEntry => ({
        value: `${page} ${id}`,
        label,
        icon: <Icon aria-hidden />,
        onSelect: () => {
          onClose()
          void navigate(projectPage(projectId, page, { id }))
        },
      }),
    ),
  }))
  const groups = rankGroups([...found, ...commands], typed)
  const first = groups[0]?.entries[0]
  // The first row is highlighted until another one is chosen, even if rows arrive before it.
  const [chosen, setChosen] = useState<string>()
  const isChosen = groups.some(({ entries }) => entries.some(({ value }) => value === chosen))
  const hasMoved = useRef(false)
  // Enter before the results are there opens the first row when they are.
  const opensFirst = useRef(false)
  useEffect(() => {
    if (!hasAllRows || !opensFirst.current) return
    opensFirst.current = false
    first?.onSelect()
  })

  return (
    <Command.Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      label={paletteTexts.label}
      value={(isChosen ? chosen : first?.value) ?? ''}
      onValueChange={(value) => {
        if (hasMoved.current) setChosen(value)
      }}
      shouldFilter={false}
      onKeyDown={(event) => {
        if (isMove(event)) hasMoved.current = true
        if (event.key === 'Enter' && !hasAllRows && !isChosen) {
          event.preventDefault()
          opensFirst.current = true
        }
      }}
      loop
      overlayClassName="fixed inset-0 z-40 bg-shade"
      contentClassName="fixed inset-x-4 top-[12vh] z-50 mx-auto max-w-xl overflow-hidden rounded-card border border-line bg-card shadow-float"
    >
      <div className="flex items-center gap-3 border-b border-line px-5">
        <Search className="size-4 shrink-0 text-soft" aria-hidden />
        <Command.Input
          value={text}
          onValueChange={(next) => {
            hasMoved.current = false
            opensFirst.current = false
            setChosen(undefined)
            setText(next)
          }}
          placeholder={paletteTexts.placeholder}
          className="min-w-0 flex-1 bg-transparent py-4 outline-none"
        />
        <Keys keys={[paletteTexts.closeKey]} />
      </div>
      <Command.List
        className="max-h-[50vh] overflow-y-auto p-2 pb-6 [mask-image:linear-gradient(to_bottom,black_calc(100%-1.5rem),transparent)]"
        onPointerMove={() => {
          hasMoved.current = true
        }}
      >
        {hasAllRows && groups.length === 0 && (
          <p aria-live="polite" className="px-3 py-8 text-center text-sm text-soft">
            {paletteTexts.empty}
          </p>
        )}
        {groups.map(({ heading, entries }) => (
          <Group key={heading} heading={heading}>
            {entries.map(({ value, icon, keys, label, onSelect }) => (
              <Entry key={value} icon={icon} value={value} keys={keys} onSelect={onSelect}>
                {label}
              </Entry>
            ))}
          </Group>
        ))}
      </Command.List>
      {typed.length < SEARCH_LENGTH_MIN && (
        <p className="border-t border-line px-5 py-2.5 text-[0.8125rem] text-soft">{paletteTexts.hint}</p>
      )}
    </Command.Dialog>
  )
}

const Group = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <Command.Group
    heading={heading}
    className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-soft"
  >
    {children}
  </Command.Group>
)

interface EntryProps {
  icon?: ReactNode
  value: string
  /** The shortcut that does the same. */
  keys?: string[] | undefined
  onSelect(): void
  children: ReactNode
}

const Entry = ({ icon, value, keys, onSelect, children }: EntryProps) => (
  <Command.Item
    value={value}
    onSelect={onSelect}
    className="flex cursor-pointer items-center gap-3 rounded-part px-3 py-2 text-sm data-[selected=true]:bg-panel [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-soft"
  >
    {icon}
    <span className="min-w-0 flex-1 truncate">{children}</span>
    {keys && <Keys keys={keys} />}
  </Command.Item>
)

const Keys = ({ keys }: { keys: string[] }) => (
  <span aria-hidden className="flex shrink-0 gap-1 max-sm:hidden">
    {keys.map((key) => (
      <kbd key={key} className="min-w-6 rounded border border-line px-1.5 text-center font-sans text-xs text-soft">
        {key}
      </kbd>
    ))}
  </span>
)
