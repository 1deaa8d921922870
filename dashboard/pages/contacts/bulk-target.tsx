/** Bulk changes that are about something: a segment to add contacts to, a topic, or a workflow to start. */
import { Ellipsis } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Problem } from '../../lists/problem.tsx'
import { useTopicList } from '../../mail/topics.tsx'
import type { Choice } from '../../pickers/combobox.tsx'
import { Picker } from '../../pickers/picker.tsx'
import { useSegments } from '../../pickers/segment-picker.tsx'
import { useEnabledWorkflows } from '../../pickers/workflow-picker.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { Menu } from '../../ui/menu.tsx'
import { texts } from './texts.ts'

const T = texts.bulk.targets

export type BulkContacts = Parameters<ReturnType<typeof useApi>['api']['contacts']['bulkDelete']>[0]

const BULK_TARGETS = ['segment', 'topic', 'workflow'] as const
export type BulkTarget = (typeof BULK_TARGETS)[number]

export function BulkMenu({ onChoose }: { onChoose(target: BulkTarget): void }) {
  return (
    <Menu
      groups={[BULK_TARGETS.map((target) => ({ label: T[target].menu, onSelect: () => onChoose(target) }))]}
      trigger={
        <Button>
          <Ellipsis aria-hidden /> {T.more}
        </Button>
      }
    />
  )
}

/** What can be chosen, by ID or key. */
function useChoices(target: BulkTarget): Choice[] | undefined {
  const segments = useSegments()
  const workflows = useEnabledWorkflows()
  const topics = useTopicList().data?.data
  const named = (items: { id: string; name: string }[] | undefined) =>
    items?.map(({ id, name }) => ({ value: id, label: name }))
  if (target === 'topic') return topics?.map(({ key, name }) => ({ value: key, label: name }))
  return named(target === 'segment' ? segments?.filter(({ type }) => type === 'STATIC') : workflows)
}

interface TargetDialogProps {
  target: BulkTarget
  selection: BulkContacts
  count: number
  onClose(): void
  onStarted(jobId: string): void
}

export function TargetDialog({ target, selection, count, onClose, onStarted }: TargetDialogProps) {
  const { api } = useApi()
  const { run, busy, problem } = useAction()
  const choices = useChoices(target)
  const [chosen, setChosen] = useState('')
  const [subscribed, setSubscribed] = useState('true')
  const start = {
    segment: () => api.contacts.bulkAddToSegment(selection, chosen),
    topic: () => api.contacts.bulkTopics(selection, { [chosen]: subscribed === 'true' }),
    workflow: () => api.contacts.bulkStartWorkflow(selection, chosen),
  }
  const startChange = async (event: FormEvent) => {
    event.preventDefault()
    const done = await run(start[target]())
    if (done) onStarted(done.data.jobId)
  }
  const isEmpty = choices?.length === 0
  return (
    <Dialog open onClose={onClose} title={T[target].title(count)}>
      <form onSubmit={startChange} className="space-y-4">
        <p className="text-sm text-soft">{T[target].effect}</p>
        <Picker
          kind={target}
          label={T[target].label}
          placeholder={T[target].choose}
          value={chosen}
          hint={isEmpty ? T[target].none : undefined}
          choices={choices ?? []}
          onChoose={setChosen}
        />
        {target === 'topic' && (
          <Select
            label={T.change}
            value={subscribed}
            options={T.changes}
            onChange={(event) => setSubscribed(event.target.value)}
          />
        )}
        {problem && <Problem error={problem} />}
        <DialogActions>
          <Button onClick={onClose}>{texts.dataEditor.cancel}</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={chosen === ''}>
            {T[target].action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
