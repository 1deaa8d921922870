/** The command palette: every place, a few acts, and contacts, templates and emails by what is typed. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Contrast, LayoutTemplate, MailPlus, Upload, User } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { projectsQuery, unwrap } from '../api.ts'
import { chooseTheme, useIsDark } from '../look/theme.ts'
import { DESTINATIONS, inProjectPath } from '../navigation.ts'
import { useApi } from '../project.ts'

export function Palette({ onClose }: { onClose(): void }) {
  const { projectId, api } = useApi()
  const navigate = useNavigate()
  const dark = useIsDark()
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const { data: projects } = useQuery(projectsQuery)
  const { data: found } = useQuery({
    queryKey: [projectId, 'palette', search],
    enabled: search.length > 1,
    queryFn: async () => ({
      contacts: (await unwrap(api.contacts.list({ search, limit: 5 }))).data,
      templates: (await unwrap(api.templates.list({ search, pageSize: 5 }))).data,
    }),
  })
  const go = (path: string) => {
    onClose()
    void navigate({ to: inProjectPath(projectId, path) })
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
        {found && found.contacts.length > 0 && (
          <Group heading="Contacts">
            {found.contacts.map((contact) => (
              <Entry
                key={contact.id}
                icon={<User aria-hidden />}
                value={`contact ${contact.email}`}
                onPick={() => go(`contacts/${contact.id}`)}
              >
                {contact.email}
              </Entry>
            ))}
          </Group>
        )}
        {found && found.templates.length > 0 && (
          <Group heading="Templates">
            {found.templates.map((template) => (
              <Entry
                key={template.id}
                icon={<LayoutTemplate aria-hidden />}
                value={`template ${template.name} ${template.subject} ${template.id}`}
                onPick={() => go(`templates/${template.id}`)}
              >
                {template.name}
              </Entry>
            ))}
          </Group>
        )}
        <Group heading="Go to">
          {DESTINATIONS.flat().map(({ path, words, icon: Icon }) => (
            <Entry key={path} icon={<Icon aria-hidden />} value={words} onPick={() => go(path)}>
              {words}
            </Entry>
          ))}
        </Group>
        <Group heading="Do">
          <Entry icon={<MailPlus aria-hidden />} value="New template" onPick={() => go('templates/new')}>
            New template
          </Entry>
          <Entry icon={<Upload aria-hidden />} value="Import contacts" onPick={() => go('contacts/import')}>
            Import contacts
          </Entry>
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
