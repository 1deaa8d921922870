/** Settings in groups: project, team, developers, account and, for its operator, the installation. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { projectPage } from '../../addresses.ts'
import { meQuery } from '../../data/api.ts'
import { useProject, useSearchState } from '../../data/project.ts'
import { Link } from '../../links.tsx'
import { FIRST_PAGE } from '../../lists/list.tsx'
import { OPERATOR_TABS, SETTINGS_TABS } from '../../navigation.ts'
import { Page } from '../../shell/page.tsx'
import { Select } from '../../ui/field.tsx'
import { AccountTab } from './account/account.tsx'
import { BrandCard } from './brand.tsx'
import { KeysTab } from './developers/keys.tsx'
import { SmtpTab } from './developers/smtp.tsx'
import { InstallationTab } from './installation.tsx'
import { ProjectTab } from './project.tsx'
import { SecurityTab } from './security.tsx'
import { SendingTab } from './sending/sending.tsx'
import { SystemMailTab } from './system-mail.tsx'
import { AuditLogTab } from './team/audit-log.tsx'
import { MembersTab } from './team/members.tsx'
import { texts } from './texts.ts'
import { UsageTab } from './usage.tsx'

const LABELS = { ...SETTINGS_TABS, ...OPERATOR_TABS }

type Section = keyof typeof LABELS

/** Titles are also understood outside of their group. */
const TITLES: Record<Section, string> = {
  ...LABELS,
  project: texts.projectTitle,
  installation: texts.installation.title,
}

const LEADS: Partial<Record<Section, string>> = texts.leads

const CONTENTS: Record<Section, ReactNode> = {
  project: <ProjectTab />,
  branding: <BrandCard />,
  sending: <SendingTab />,
  usage: <UsageTab />,
  security: <SecurityTab />,
  members: <MembersTab />,
  'audit-log': <AuditLogTab />,
  keys: <KeysTab />,
  smtp: <SmtpTab />,
  account: <AccountTab />,
  installation: <InstallationTab />,
  'system-mail': <SystemMailTab />,
}

const GROUPS: { title: string; sections: Section[]; forOperator?: boolean }[] = [
  { title: texts.groups.project, sections: ['project', 'branding', 'sending', 'usage', 'security'] },
  { title: texts.groups.team, sections: ['members', 'audit-log'] },
  { title: texts.groups.developers, sections: ['keys', 'smtp'] },
  { title: texts.groups.account, sections: ['account'] },
  { title: texts.groups.installation, sections: ['installation', 'system-mail'], forOperator: true },
]

export function SettingsPage() {
  const project = useProject()
  const { data: me } = useQuery(meQuery)
  const [{ tab = 'project' }, change] = useSearchState<'tab' | 'act' | 'message' | keyof typeof FIRST_PAGE>()
  const groups = GROUPS.filter(({ forOperator }) => !forOperator || me?.operator)
  const sections = groups.flatMap((group) => group.sections)
  const open = sections.find((section) => section === tab) ?? 'project'
  return (
    <Page
      title={TITLES[open]}
      lead={LEADS[open]}
      aside={
        <div>
          <div className="mb-6 lg:hidden">
            <Select
              label={texts.title}
              value={open}
              options={Object.fromEntries(sections.map((section) => [section, TITLES[section]]))}
              onChange={(event) =>
                change({ tab: event.target.value, ...FIRST_PAGE, act: undefined, message: undefined })
              }
            />
          </div>
          <nav aria-label={texts.title} className="space-y-5 pt-1.5 text-sm max-lg:hidden">
            {groups.map((group) => (
              <div key={group.title}>
                <p className="mb-1 px-2.5 text-[0.8125rem] text-soft">{group.title}</p>
                <ul>
                  {group.sections.map((section) => (
                    <li key={section}>
                      <Link
                        to={projectPage(project.id, 'settings', { tab: section === 'project' ? undefined : section })}
                        activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
                        aria-current={section === open ? 'page' : undefined}
                        data-open={section === open || undefined}
                        className="block rounded-part px-2.5 py-1.5 font-medium text-soft hover:bg-panel hover:text-ink data-open:bg-panel data-open:text-ink"
                      >
                        {LABELS[section]}
                      </Link>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
        </div>
      }
    >
      <div key={open} className="space-y-6">
        {CONTENTS[open]}
      </div>
    </Page>
  )
}
