/** Replaces an API key. The old one works for a while longer. */
import { type FormEvent, useState } from 'react'
import { useApi } from '../../../data/project.ts'
import { useAction } from '../../../data/use-action.ts'
import { Problem } from '../../../lists/problem.tsx'
import { Dialog, SubmitActions } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/field.tsx'
import { texts } from '../texts.ts'
import type { ApiKey, ShownApiKey } from './key-scopes.ts'

const T = texts.apiKeys

interface ReplaceKeyProps {
  apiKey: ApiKey
  onClose(): void
  onReplaced(key: ShownApiKey): void
}

export function ReplaceKey({ apiKey, onClose, onReplaced }: ReplaceKeyProps) {
  const { api } = useApi()
  const { run, busy, problem } = useAction()
  const [hours, setHours] = useState('24')
  const replaceKey = async (event: FormEvent) => {
    event.preventDefault()
    const replaced = await run(api.apiKeys.rotate(apiKey.id, { overlapHours: Number(hours) }))
    if (replaced) onReplaced(replaced.data)
  }
  return (
    <Dialog open disposable onClose={onClose} title={T.replaceTitle(apiKey.name)} lead={T.replaceLead}>
      <form className="space-y-4" onSubmit={replaceKey}>
        <Select
          label={T.overlap}
          value={hours}
          options={T.overlaps}
          onChange={(event) => setHours(event.target.value)}
          hint={hours === '0' ? T.overlapNone : undefined}
        />
        {problem && <Problem error={problem} />}
        <SubmitActions busy={busy} onCancel={onClose}>
          {T.replace}
        </SubmitActions>
      </form>
    </Dialog>
  )
}
