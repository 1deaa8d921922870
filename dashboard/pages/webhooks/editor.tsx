/** The form of an endpoint: its URL and the event types it wants, with an example of a request. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { useNavigate } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Picker } from '../../pickers/picker.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, fieldError, Input } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Endpoint } from './endpoint-state.tsx'
import { texts } from './texts.ts'

const own = (types: string[], known: Set<string>) => types.filter((type) => type !== '*' && !known.has(type))

export function EndpointEditor({ endpoint, onClose }: { endpoint?: Endpoint; onClose(): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const { data } = useQuery({
    queryKey: ['webhook-event-types'],
    queryFn: () => unwrap(api.webhookEndpoints.eventTypes()),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const types = data?.data ?? []
  const known = new Set(types.map(({ type }) => type))
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [wanted, setWanted] = useState<string[]>(endpoint?.eventTypes ?? ['*'])
  const [typed, setTyped] = useState<string>()
  const more = typed ?? own(wanted, known).join(', ')
  const eventTypes = [
    ...wanted.filter((type) => type === '*' || known.has(type)),
    ...more.split(',').map((name) => name.trim()),
  ].filter((name) => name !== '')
  const [exampleOf, setExampleOf] = useState<string>()
  const toggle = (type: string, isWanted: boolean) => {
    setWanted((all) => (isWanted ? [...all, type] : all.filter((other) => other !== type)))
    if (isWanted) setExampleOf(type)
  }
  const shown =
    types.find(({ type }) => type === exampleOf) ?? types.find(({ type }) => wanted.includes(type)) ?? types[0]

  const saveEndpoint = async (event: FormEvent) => {
    event.preventDefault()
    const fields = { url, description: description || null, eventTypes }
    const saved = await run(
      endpoint ? api.webhookEndpoints.update(endpoint.id, fields) : api.webhookEndpoints.create(fields),
    )
    if (!saved) return
    toast.done(endpoint ? texts.editor.saved : texts.editor.created)
    void queries.invalidateQueries({ queryKey: [projectId, 'webhooks'] })
    onClose()
    if (!endpoint) void navigate(projectPage(projectId, 'webhooks/$id', { id: saved.data.id }))
  }

  return (
    <Dialog open onClose={onClose} title={endpoint ? texts.editor.editTitle : texts.editor.createTitle}>
      <form onSubmit={saveEndpoint} className="space-y-4">
        <Input
          label={texts.editor.url}
          hint={texts.editor.urlHint}
          type="url"
          required
          autoFocus
          value={url}
          error={fieldError(error, 'url')}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Input
          label={texts.editor.description}
          value={description}
          maxLength={500}
          error={fieldError(error, 'description')}
          onChange={(event) => setDescription(event.target.value)}
        />
        <fieldset className="space-y-2">
          <legend className="mb-1 font-medium text-sm">{texts.editor.groups}</legend>
          <Checkbox
            label={texts.editor.everything}
            checked={wanted.includes('*')}
            onChange={(event) => toggle('*', event.target.checked)}
          />
          {!wanted.includes('*') && (
            <div className="grid max-h-56 gap-2 overflow-y-auto sm:grid-cols-2">
              {types.map(({ type, description: hint }) => (
                <Checkbox
                  key={type}
                  label={type}
                  hint={hint}
                  checked={wanted.includes(type)}
                  onChange={(event) => toggle(type, event.target.checked)}
                />
              ))}
            </div>
          )}
        </fieldset>
        {!wanted.includes('*') && (
          <Input
            label={texts.editor.more}
            hint={texts.editor.moreHint}
            value={more}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        {shown && (
          <div className="space-y-2">
            <Picker
              kind="event"
              label={texts.editor.example}
              choices={types.map(({ type, description: note }) => ({ value: type, label: type, note }))}
              value={shown.type}
              onChoose={setExampleOf}
            />
            <CodeBlock label={texts.editor.exampleBody} text={JSON.stringify(shown.example, null, 2)} />
          </div>
        )}
        {problem && <Problem error={problem} shown={['url', 'description']} />}
        <DialogActions>
          <Button onClick={onClose}>{sharedTexts.cancel}</Button>
          <Button kind="primary" type="submit" busy={busy} shortcut="save">
            {endpoint ? texts.editor.save : texts.editor.create}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
