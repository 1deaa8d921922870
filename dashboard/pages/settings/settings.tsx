/** Settings of the project and of the person, a tab each; which one is open is in the address. */
import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useProject, useSearchState } from '../../project.ts'
import { AccountTab } from './account.tsx'
import { AuditLogTab } from './audit-log.tsx'
import { KeysTab } from './keys.tsx'
import { MembersTab } from './members.tsx'
import { ProjectTab } from './project.tsx'
import { UsageTab } from './usage.tsx'

const TABS = [
  { name: 'project', words: 'Project', content: <ProjectTab /> },
  { name: 'keys', words: 'API keys', content: <KeysTab /> },
  { name: 'members', words: 'Members', content: <MembersTab /> },
  { name: 'usage', words: 'Usage and limits', content: <UsageTab /> },
  { name: 'audit-log', words: 'Audit log', content: <AuditLogTab /> },
  { name: 'account', words: 'Your account', content: <AccountTab /> },
]

export function SettingsPage() {
  const project = useProject()
  const [{ tab = 'project' }, change] = useSearchState<'tab' | 'cursor'>()
  return (
    <Page title="Settings" lead={`Of ${project.name}, and of your account.`}>
      <div className="-mx-3">
        <Tabs
          label="Settings"
          open={TABS.some(({ name }) => name === tab) ? tab : 'project'}
          onOpen={(name) =>
            change({ tab: name === 'project' ? undefined : name, cursor: undefined }, { replace: true })
          }
          tabs={TABS.map((one) => ({ ...one, content: <div className="space-y-6 px-3 pt-6">{one.content}</div> }))}
        />
      </div>
    </Page>
  )
}
