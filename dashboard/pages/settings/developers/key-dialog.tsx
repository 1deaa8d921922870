/** Creates or changes an API key: its name, its scopes, its expiry and its addresses. */
import { type FormEvent, useState } from 'react'
import { useApi } from '../../../data/project.ts'
import { useAction } from '../../../data/use-action.ts'
import { Problem } from '../../../lists/problem.tsx'
import { Dialog, SubmitActions } from '../../../ui/dialog.tsx'
import { Checkbox, fieldError, Input, Select, TextArea } from '../../../ui/field.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'
import {
  type ApiKey,
  AREAS,
  levelOf,
  type Preset,
  presetOf,
  SCOPES_OF_PRESETS,
  type Scope,
  type ShownApiKey,
  SINGLE_SCOPES,
  withLevel,
} from './key-scopes.ts'

const T = texts.apiKeys
const DAY_MS = 86_400_000

interface KeyDialogProps {
  /** Undefined to create one. */
  apiKey: ApiKey | undefined
  onClose(): void
  onCreated(key: ShownApiKey): void
  onChanged(): void
}

interface Draft {
  name: string
  preset: Preset
  /** For the preset `own`. */
  scopes: Scope[]
  /** In days from now, `never`, or `keep` for that of the key. */
  expiry: string
  addresses: string
  test: boolean
}

const draftOf = (key: ApiKey | undefined): Draft => ({
  name: key?.name ?? '',
  preset: key ? presetOf(key.scopes) : 'send',
  scopes: key?.scopes ?? ['send'],
  expiry: key?.expiresAt ? 'keep' : 'never',
  addresses: key?.allowedIps.join('\n') ?? '',
  test: key?.test ?? false,
})

function limitsOf({ preset, scopes, expiry, addresses }: Draft) {
  const days = Number(expiry)
  return {
    scopes: preset === 'own' ? scopes : SCOPES_OF_PRESETS[preset],
    allowedIps: addresses.split(/[\s,]+/).filter(Boolean),
    ...(expiry !== 'keep' && { expiresAt: days ? new Date(Date.now() + days * DAY_MS).toISOString() : null }),
  }
}

export function KeyDialog({ apiKey, onClose, onCreated, onChanged }: KeyDialogProps) {
  const { api } = useApi()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const [draft, setDraft] = useState(() => draftOf(apiKey))
  const change = (changes: Partial<Draft>) => setDraft((now) => ({ ...now, ...changes }))
  const saveKey = async (event: FormEvent) => {
    event.preventDefault()
    const body = { name: draft.name, ...limitsOf(draft) }
    if (!apiKey) {
      const created = await run(api.apiKeys.create({ ...body, test: draft.test }))
      return created && onCreated(created.data)
    }
    if (!(await run(api.apiKeys.update(apiKey.id, body)))) return
    toast.done(T.changed(draft.name))
    onChanged()
  }
  const fieldErrors = { name: fieldError(error, 'name'), addresses: addressError(error, draft.addresses) }
  return (
    <Dialog open wide onClose={onClose} title={apiKey ? T.editTitle(apiKey.name) : T.createTitle}>
      <form className="space-y-5" onSubmit={saveKey}>
        <Input
          label={T.name}
          hint={T.nameHint}
          required
          maxLength={100}
          autoComplete="off"
          value={draft.name}
          error={fieldErrors.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        <RadioCards
          legend={T.access}
          name="preset"
          columns="sm:grid-cols-2"
          value={draft.preset}
          options={T.presets}
          onChange={(preset) => change({ preset })}
        />
        {draft.preset === 'own' && <OwnScopes scopes={draft.scopes} onChange={(scopes) => change({ scopes })} />}
        <Select
          label={T.expiry}
          value={draft.expiry}
          options={apiKey?.expiresAt ? { keep: T.keepExpiry, ...T.expiries } : T.expiries}
          onChange={(event) => change({ expiry: event.target.value })}
        />
        <TextArea
          label={T.addresses}
          hint={T.addressesHint}
          rows={2}
          spellCheck={false}
          value={draft.addresses}
          error={fieldErrors.addresses}
          onChange={(event) => change({ addresses: event.target.value })}
        />
        {!apiKey && (
          <Checkbox
            label={T.test}
            hint={T.testHint}
            checked={draft.test}
            onChange={(event) => change({ test: event.target.checked })}
          />
        )}
        {problem && <Problem error={problem} shown={['name', 'allowedIps']} />}
        <SubmitActions busy={busy} onCancel={onClose}>
          {apiKey ? T.save : T.create}
        </SubmitActions>
      </form>
    </Dialog>
  )
}

/** The error names an address by its position. */
function addressError(error: Parameters<typeof fieldError>[0], addresses: string): string | undefined {
  const found = error?.errors?.find(({ field }) => field.startsWith('allowedIps'))
  const given = addresses.split(/[\s,]+/).filter(Boolean)[Number(found?.field.split('.')[1])]
  return found && (given ? T.wrongAddress(given) : found.message)
}

function OwnScopes({ scopes, onChange }: { scopes: Scope[]; onChange(scopes: Scope[]): void }) {
  const chosen = scopes.filter((scope) => scope !== 'full')
  return (
    <fieldset className="space-y-3">
      <legend className="mb-1.5 text-sm font-medium">{T.scopes}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {SINGLE_SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            label={T.single[scope]}
            checked={chosen.includes(scope)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, scope] : chosen.filter((each) => each !== scope))
            }
          />
        ))}
      </div>
      <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {AREAS.map((area) => (
          <div key={area} className="flex items-center justify-between gap-3 text-sm">
            <span aria-hidden>{T.areas[area]}</span>
            <div className="w-36 shrink-0">
              <Select
                label={T.areas[area]}
                hideLabel
                value={levelOf(chosen, area)}
                options={T.levels}
                onChange={(event) => onChange(withLevel(chosen, area, event.target.value as keyof typeof T.levels))}
              />
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  )
}
