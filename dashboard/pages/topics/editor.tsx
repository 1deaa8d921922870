/** The form of a topic. */
import { type FormEvent, useState } from 'react'
import type { Schemas } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Problem } from '../../lists/problem.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, fieldError, Input, TextArea } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { keyOf } from './key-of.ts'
import { texts } from './texts.ts'

interface TopicEditorProps {
  topic?: Schemas['Topic']
  onClose(): void
  onSaved(): void
}

export function TopicEditor({ topic, onClose, onSaved }: TopicEditorProps) {
  const { api } = useApi()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const [name, setName] = useState(topic?.name ?? '')
  const [typedKey, setTypedKey] = useState<string>()
  const [description, setDescription] = useState(topic?.description ?? '')
  const [defaultSubscribed, setDefaultSubscribed] = useState(topic?.defaultSubscribed ?? true)
  const [isPublic, setPublic] = useState(topic?.isPublic ?? true)
  const key = topic?.key ?? typedKey ?? keyOf(name)

  const saveTopic = async (event: FormEvent) => {
    event.preventDefault()
    const fields = { name, description: description || null, defaultSubscribed, isPublic }
    if (!(await run(topic ? api.topics.update(topic.id, fields) : api.topics.create({ key, ...fields })))) return
    toast.done(topic ? texts.editor.saved : texts.editor.created)
    onSaved()
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={topic ? texts.editor.editTitle : texts.editor.createTitle}>
      <form onSubmit={saveTopic} className="space-y-4">
        <Input
          label={texts.editor.name}
          required
          autoFocus
          maxLength={100}
          value={name}
          error={fieldError(error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <Input
          label={texts.editor.key}
          hint={texts.editor.keyHint}
          required
          disabled={topic !== undefined}
          className="font-mono"
          spellCheck={false}
          value={key}
          error={fieldError(error, 'key')}
          onChange={(event) => setTypedKey(event.target.value)}
        />
        <TextArea
          label={texts.editor.description}
          hint={texts.editor.descriptionHint}
          rows={2}
          maxLength={500}
          value={description}
          error={fieldError(error, 'description')}
          onChange={(event) => setDescription(event.target.value)}
        />
        <Checkbox
          label={texts.editor.defaultSubscribed}
          hint={texts.editor.defaultHint}
          checked={defaultSubscribed}
          onChange={(event) => setDefaultSubscribed(event.target.checked)}
        />
        <Checkbox
          label={texts.editor.isPublic}
          checked={isPublic}
          onChange={(event) => setPublic(event.target.checked)}
        />
        {problem && <Problem error={problem} shown={['name', 'key', 'description']} />}
        <DialogActions>
          <Button onClick={onClose}>{sharedTexts.cancel}</Button>
          <Button kind="primary" type="submit" busy={busy} shortcut="save">
            {topic ? texts.editor.save : texts.editor.create}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
