/** The command palette: pages, commands, and resources that match the search. */
import { useQuery } from '@tanstack/react-query'
import { Command, defaultFilter } from 'cmdk'
import {
  Contrast,
  FilePlus2,
  FolderOpen,
  Keyboard,
  LayoutTemplate,
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
import { type Address, accountPage, projectPage } from '../addresses.ts'
import { projectsQuery, unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { useDebounced } from '../data/use-debounced.ts'
import { useNavigate } from '../links.tsx'
import { chooseTheme, useIsDark } from '../look/theme.ts'
import { DESTINATIONS, SETTINGS_TABS, SUBPAGES } from '../navigation.ts'
import { paletteTexts, sharedTexts, shortcutTexts } from './texts.ts'

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

function useSearchResults(search: string): ResultGroup[] {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'palette', search],
    enabled: search.length >= SEARCH_LENGTH_MIN,
    queryFn: async (): Promise<ResultGroup[]> => {
      const page = { search, pageSize: RESULTS_MAX }
      const [contacts, templates, campaigns, workflows, segments, emails] = await Promise.all([
        unwrap(api.contacts.list({ search, limit: RESULTS_MAX })),
        unwrap(api.templates.list(page)),
        unwrap(api.campaigns.list(page)),
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
          items: contacts.data.map(({ id, email }) => ({ id, label: email })),
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
  return search.length >= SEARCH_LENGTH_MIN ? (data ?? []) : []
}

/** Includes the search text, so that the palette's own filter keeps every result. */
const entryValue = ({ id, label }: { id: string; label: string }, text: string) => `${label} ${id} ${text}`.trim()

/** Marks entries that come after all others that match. Always the same array: a new one would move the selection. */
const LAST = ['last']

const rank = (value: string, search: string, keywords?: string[]): number =>
  defaultFilter(value, search) * (keywords?.includes(LAST[0]!) ? 0.01 : 1)

/** The keys that move the selection. */
const isMove = ({ key, ctrlKey }: KeyboardEvent) =>
  ['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(key) || (ctrlKey && ['n', 'j', 'p', 'k'].includes(key))

export function Palette({ onClose, onHelp }: { onClose(): void; onHelp(): void }) {
  const { projectId } = useApi()
  const navigate = useNavigate()
  const dark = useIsDark()
  const [text, setText] = useState('')
  const search = useDebounced(text.trim(), DEBOUNCE_MS)
  const results = useSearchResults(search)
  // Results arrive after the commands, and are what Enter opens unless another entry was chosen in the meantime.
  const [active, setActive] = useState('')
  const hasChosen = useRef(false)
  const first = results.flatMap(({ items }) => items)[0]
  const firstValue = first && entryValue(first, text)
  useEffect(() => {
    if (firstValue && !hasChosen.current) setActive(firstValue)
  }, [firstValue])
  const { data: projects } = useQuery(projectsQuery)
  const go = (to: Address) => {
    onClose()
    void navigate(to)
  }

  return (
    <Command.Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      label={paletteTexts.label}
      value={active}
      onValueChange={setActive}
      filter={rank}
      onKeyDown={(event) => {
        if (isMove(event)) hasChosen.current = true
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
            hasChosen.current = false
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
          hasChosen.current = true
        }}
      >
        <Command.Empty className="px-3 py-8 text-center text-sm text-soft">{paletteTexts.empty}</Command.Empty>
        {results
          .filter(({ items }) => items.length > 0)
          .map(({ heading, icon: Icon, page, items }) => (
            <Group key={page} heading={heading}>
              {items.map(({ id, label }) => (
                <Entry
                  key={id}
                  icon={<Icon aria-hidden />}
                  value={entryValue({ id, label }, text)}
                  onSelect={() => go(projectPage(projectId, page, { id }))}
                >
                  {label}
                </Entry>
              ))}
            </Group>
          ))}
        <Group heading={paletteTexts.goTo}>
          {DESTINATIONS.flat().map(({ page, label, icon: Icon, key }) => (
            <Entry
              key={page}
              icon={<Icon aria-hidden />}
              value={label}
              keys={['G', key.toUpperCase()]}
              onSelect={() => go(projectPage(projectId, page))}
            >
              {label}
            </Entry>
          ))}
        </Group>
        <Group heading={paletteTexts.create}>
          {SUBPAGES.map(({ label, address }) => (
            <Entry key={label} icon={<FilePlus2 aria-hidden />} value={label} onSelect={() => go(address(projectId))}>
              {label}
            </Entry>
          ))}
          <Entry
            icon={<Contrast aria-hidden />}
            value={`${paletteTexts.toLight} ${paletteTexts.toDark}`}
            onSelect={() => chooseTheme(dark ? 'light' : 'dark')}
          >
            {dark ? paletteTexts.toLight : paletteTexts.toDark}
          </Entry>
          <Entry
            icon={<Keyboard aria-hidden />}
            value={shortcutTexts.title}
            keys={['?']}
            onSelect={() => {
              onClose()
              onHelp()
            }}
          >
            {shortcutTexts.title}
          </Entry>
        </Group>
        <Group heading={paletteTexts.settings}>
          {Object.entries(SETTINGS_TABS).map(([tab, label]) => (
            <Entry
              key={tab}
              icon={<Settings aria-hidden />}
              value={paletteTexts.settingsTab(label)}
              keywords={LAST}
              onSelect={() => go(projectPage(projectId, 'settings', { tab }))}
            >
              {paletteTexts.settingsTab(label)}
            </Entry>
          ))}
        </Group>
        {projects && (
          <Group heading={paletteTexts.projects}>
            {projects.map((project) => (
              <Entry
                key={project.id}
                icon={<FolderOpen aria-hidden />}
                value={`project ${project.name} ${project.id}`}
                onSelect={() => {
                  onClose()
                  void navigate(projectPage(project.id, '/'))
                }}
              >
                {project.name}
              </Entry>
            ))}
            <Entry
              icon={<FilePlus2 aria-hidden />}
              value={paletteTexts.newProject}
              onSelect={() => {
                onClose()
                void navigate(accountPage('/projects/new'))
              }}
            >
              {paletteTexts.newProject}
            </Entry>
          </Group>
        )}
      </Command.List>
      {text.trim().length < SEARCH_LENGTH_MIN && (
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
  keywords?: string[]
  /** The shortcut that does the same. */
  keys?: string[]
  onSelect(): void
  children: ReactNode
}

const Entry = ({ icon, value, keywords, keys, onSelect, children }: EntryProps) => (
  <Command.Item
    value={value}
    keywords={keywords}
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
