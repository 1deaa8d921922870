/** The command palette: every place, what one can make, and whatever has the name that is typed. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import {
  Contrast,
  FilePlus2,
  LayoutTemplate,
  type LucideIcon,
  Megaphone,
  User,
  UsersRound,
  Workflow,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { projectsQuery, unwrap } from '../api.ts'
import { chooseTheme, useIsDark } from '../look/theme.ts'
import { BRANCHES, DESTINATIONS, inProjectPath, SETTINGS_TABS } from '../navigation.ts'
import { useApi } from '../project.ts'
import { useSettled } from '../use-settled.ts'

const PAUSE_MS = 150
const MOST = 5

interface Found {
  heading: string
  icon: LucideIcon
  place: string
  items: { id: string; words: string }[]
}

/** What has a name like this, of every kind. */
function useFound(search: string): Found[] {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'palette', search],
    enabled: search.length > 1,
    queryFn: async (): Promise<Found[]> => {
      const page = { search, pageSize: MOST }
      const [contacts, templates, campaigns, workflows, segments] = await Promise.all([
        unwrap(api.contacts.list({ search, limit: MOST })),
        unwrap(api.templates.list(page)),
        unwrap(api.campaigns.list(page)),
        unwrap(api.workflows.list(page)),
        unwrap(api.segments.list()),
      ])
      const named = (items: { id: string; name: string }[]) => items.map(({ id, name }) => ({ id, words: name }))
      const like = segments.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())).slice(0, MOST)
      return [
        {
          heading: 'Contacts',
          icon: User,
          place: 'contacts',
          items: contacts.data.map(({ id, email }) => ({ id, words: email })),
        },
        { heading: 'Campaigns', icon: Megaphone, place: 'campaigns', items: named(campaigns.data) },
        { heading: 'Templates', icon: LayoutTemplate, place: 'templates', items: named(templates.data) },
        { heading: 'Workflows', icon: Workflow, place: 'workflows', items: named(workflows.data) },
        { heading: 'Segments', icon: UsersRound, place: 'segments', items: named(like) },
      ]
    },
  })
  return search.length > 1 ? (data ?? []) : []
}

export function Palette({ onClose }: { onClose(): void }) {
  const { projectId } = useApi()
  const navigate = useNavigate()
  const dark = useIsDark()
  const [text, setText] = useState('')
  const search = useSettled(text.trim(), PAUSE_MS)
  const found = useFound(search)
  const { data: projects } = useQuery(projectsQuery)
  const go = (path: string, tab?: string) => {
    onClose()
    void navigate({ to: inProjectPath(projectId, path), search: (tab ? { tab } : {}) as never })
  }

  return (
    <Command.Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      label="Search and commands"
      loop
      overlayClassName="fixed inset-0 z-40 bg-shade"
      contentClassName="fixed inset-x-4 top-[12vh] z-50 mx-auto max-w-xl overflow-hidden rounded-card border border-line bg-card shadow-float"
    >
      <Command.Input
        value={text}
        onValueChange={setText}
        placeholder="Where to, or whom do you look for?"
        className="w-full border-b border-line bg-transparent px-5 py-4 outline-none"
      />
      <Command.List className="max-h-[50vh] overflow-y-auto p-2">
        <Command.Empty className="px-3 py-8 text-center text-sm text-soft">Nothing of that name.</Command.Empty>
        {found
          .filter(({ items }) => items.length > 0)
          .map(({ heading, icon: Icon, place, items }) => (
            <Group key={place} heading={heading}>
              {items.map(({ id, words }) => (
                // What was found stays, whatever the palette itself thinks of the name.
                <Entry
                  key={id}
                  icon={<Icon aria-hidden />}
                  value={`${words} ${id} ${text}`}
                  onPick={() => go(`${place}/${id}`)}
                >
                  {words}
                </Entry>
              ))}
            </Group>
          ))}
        <Group heading="Go to">
          {DESTINATIONS.flat().map(({ path, words, icon: Icon }) => (
            <Entry key={path} icon={<Icon aria-hidden />} value={words} onPick={() => go(path)}>
              {words}
            </Entry>
          ))}
          {Object.entries(SETTINGS_TABS).map(([tab, words]) => (
            <Entry key={tab} value={`Settings ${words}`} onPick={() => go('settings', tab)}>
              <span className="size-4" /> Settings: {words}
            </Entry>
          ))}
        </Group>
        <Group heading="Do">
          {BRANCHES.map(({ path, words }) => (
            <Entry key={path} icon={<FilePlus2 aria-hidden />} value={words} onPick={() => go(path)}>
              {words}
            </Entry>
          ))}
          <Entry
            icon={<Contrast aria-hidden />}
            value="Switch light dark theme"
            onPick={() => chooseTheme(dark ? 'light' : 'dark')}
          >
            {dark ? 'Switch to light' : 'Switch to dark'}
          </Entry>
        </Group>
        {projects && projects.length > 1 && (
          <Group heading="Projects">
            {projects.map((project) => (
              <Entry
                key={project.id}
                value={`project ${project.name} ${project.id}`}
                onPick={() => {
                  onClose()
                  void navigate({ to: inProjectPath(project.id) })
                }}
              >
                {project.name}
              </Entry>
            ))}
          </Group>
        )}
      </Command.List>
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
  onPick(): void
  children: ReactNode
}

const Entry = ({ icon, value, onPick, children }: EntryProps) => (
  <Command.Item
    value={value}
    onSelect={onPick}
    className="flex cursor-pointer items-center gap-3 rounded-part px-3 py-2 text-sm data-[selected=true]:bg-panel [&_svg]:size-4 [&_svg]:text-soft"
  >
    {icon}
    {children}
  </Command.Item>
)
