/** Asks for a name and saves something under it. */
import type { Result } from '@posthorn/sdk'
import { type FormEvent, useState } from 'react'
import { useAction } from '../data/use-action.ts'
import { Problem } from '../lists/problem.tsx'
import { Dialog, SubmitActions } from './dialog.tsx'
import { fieldError, Input } from './field.tsx'

interface NameDialogProps<R> {
  title: string
  lead?: string
  label: string
  /** The label of the button that saves. */
  action: string
  save(name: string): Promise<Result<R>>
  onSaved(saved: R): void
  onClose(): void
}

export function NameDialog<R>({ title, lead, label, action, save, onSaved, onClose }: NameDialogProps<R>) {
  const { run, busy, error, problem } = useAction()
  const [name, setName] = useState('')
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation() // React also reports it to a form around the dialog
    const done = await run(save(name))
    if (done) onSaved(done.data)
  }
  return (
    <Dialog open onClose={onClose} title={title} lead={lead} disposable>
      <form onSubmit={handleSubmit} className="space-y-4">
        <Input
          label={label}
          required
          autoFocus
          maxLength={100}
          error={fieldError(error, 'name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {problem && <Problem error={problem} shown={['name']} />}
        <SubmitActions busy={busy} onCancel={onClose}>
          {action}
        </SubmitActions>
      </form>
    </Dialog>
  )
}
