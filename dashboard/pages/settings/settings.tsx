/** Settings of the project and of the account, one tab each. The open tab is kept in the address. */
import type { ReactNode } from 'react'
import { SETTINGS_TABS } from '../../navigation.ts'
import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useProject, useSearchState } from '../../project.ts'
import { AccountTab } from './account.tsx'
import { AuditLogTab } from './audit-log.tsx'
import { KeysTab } from './keys.tsx'
import { MembersTab } from './members.tsx'
import { ProjectTab } from './project.tsx'
import { SecurityTab } from './security.tsx'
import { texts } from './texts.ts'
import { UsageTab } from './usage.tsx'

const CONTENTS: Record<keyof typeof SETTINGS_TABS, ReactNode> = {
  project: <ProjectTab />,
  keys: <KeysTab />,
  members: <MembersTab />,
  usage: <UsageTab />,
  security: <SecurityTab />,
  'audit-log': <AuditLogTab />,
  account: <AccountTab />,
}

const TABS = Object.entries(CONTENTS).map(([name, content]) => ({
  name,
  label: SETTINGS_TABS[name as keyof typeof SETTINGS_TABS],
  content: <div className="space-y-6 px-3 pt-6">{content}</div>,
}))

export function SettingsPage() {
  const project = useProject()
  const [{ tab = 'project' }, change] = useSearchState<'tab' | 'cursor'>()
  return (
    <Page title={texts.title} lead={texts.lead(project.name)}>
      <div className="-mx-3">
        <Tabs
          label={texts.title}
          open={tab in CONTENTS ? tab : 'project'}
          onOpen={(name) =>
            change({ tab: name === 'project' ? undefined : name, cursor: undefined }, { replace: true })
          }
          tabs={TABS}
        />
      </div>
    </Page>
  )
}
