import { Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useContactFields } from '../../../data/use-contact-facts.ts'
import { Combobox } from '../../../pickers/combobox.tsx'
import { isNameField } from '../../../pickers/contact-name.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Input, NumberInput, Select } from '../../../ui/field.tsx'
import { texts } from '../texts.ts'
import type { Data } from './contact-data.ts'

interface FieldsProps {
  data: Data
  onChange(data: Data): void
  /** Text fields to show even if they have no value. */
  offered?: string[]
  /** The data changes a contact: a field can also be removed from it. */
  forUpdate?: boolean
}

export function DataFields({ data, onChange, offered = [], forUpdate = false }: FieldsProps) {
  const [added, setAdded] = useState<string>()
  const removeField = (name: string) =>
    onChange(Object.fromEntries(Object.entries(data).filter(([key]) => key !== name)))
  const addField = (name: string, value: unknown) => {
    setAdded(name)
    onChange({ ...data, [name]: value })
  }
  const isOffered = (name: string) => offered.includes(name) && typeof (data[name] ?? '') === 'string'
  const changeField = (name: string, value: unknown) =>
    value === '' && isOffered(name) ? removeField(name) : onChange({ ...data, [name]: value })
  const names = [...new Set([...offered, ...Object.keys(data)])]
  return (
    <div className="space-y-2">
      {names.length === 0 && !forUpdate && <p className="text-sm text-soft">{texts.dataEditor.empty}</p>}
      {names.map((name) => (
        <div key={name} className="grid grid-cols-[7rem_minmax(0,1fr)_auto] items-center gap-x-2">
          <span aria-hidden className="truncate text-sm text-soft" title={name}>
            {name}
          </span>
          <div className={isOffered(name) ? 'col-span-2' : ''}>
            <FieldInput
              name={name}
              value={isOffered(name) ? (data[name] ?? '') : data[name]}
              autoFocus={name === added}
              onChange={(value) => changeField(name, value)}
            />
          </div>
          {!isOffered(name) && (
            <IconButton label={texts.dataEditor.remove(name)} onClick={() => removeField(name)}>
              <Trash2 />
            </IconButton>
          )}
        </div>
      ))}
      <AddField usedNames={names} forUpdate={forUpdate} onAdd={addField} />
    </div>
  )
}

interface FieldInputProps {
  name: string
  value: unknown
  autoFocus: boolean
  onChange(value: unknown): void
}

/** A field keeps the type of its value; lists and objects are edited as JSON. */
function FieldInput({ name, value, autoFocus, onChange }: FieldInputProps) {
  const common = { label: name, hideLabel: true, autoFocus }
  if (typeof value === 'boolean') {
    return (
      <Select
        {...common}
        value={String(value)}
        options={{ true: texts.data.yes, false: texts.data.no }}
        onChange={(event) => onChange(event.target.value === 'true')}
      />
    )
  }
  if (typeof value === 'number') {
    return <NumberInput {...common} value={value} onChange={(number) => number !== undefined && onChange(number)} />
  }
  if (value === null) return <Input {...common} readOnly value={texts.dataEditor.types.remove} />
  if (typeof value !== 'string') {
    return <Input {...common} readOnly hint={texts.dataEditor.onlyJson} value={JSON.stringify(value)} />
  }
  return <Input {...common} value={value} onChange={(event) => onChange(event.target.value)} />
}

const FIRST_VALUES = { string: '', number: 0, boolean: true, remove: null }
type NewType = keyof typeof FIRST_VALUES

const { remove: _, ...TYPES_OF_DATA } = texts.dataEditor.types

/** The fields that contacts of the project have, with their types. A date is entered as text. */
function useKnownFields() {
  const { data } = useContactFields()
  const custom = (data ?? []).filter(({ isCustom }) => isCustom)
  return custom.flatMap(({ field, type, coverage }) => {
    const name = field.slice('data.'.length)
    return name.includes('.') ? [] : [{ name, type: (type === 'date' ? 'string' : type) as NewType, coverage }]
  })
}

const COMMON_MAX = 4
const COMMON_COVERAGE = 0.2

/** The text fields that many contacts have: names first, then the most frequent ones. */
export const useCommonFields = (): string[] =>
  useKnownFields()
    .filter(({ type, coverage }) => type === 'string' && coverage >= COMMON_COVERAGE)
    .toSorted((a, b) => Number(isNameField(b.name)) - Number(isNameField(a.name)) || b.coverage - a.coverage)
    .slice(0, COMMON_MAX)
    .map(({ name }) => name)

interface AddFieldProps {
  usedNames: string[]
  forUpdate: boolean
  onAdd(name: string, value: unknown): void
}

/** Not a form element, because it is also used inside a form. */
function AddField({ usedNames, forUpdate, onAdd }: AddFieldProps) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [type, setType] = useState<NewType>('string')
  const known = useKnownFields()
  const isUsed = usedNames.includes(name.trim())
  const canAdd = name.trim() !== '' && !isUsed
  const addField = () => {
    if (!canAdd) return
    onAdd(name.trim(), FIRST_VALUES[type])
    setName('')
    setType('string')
    setOpen(false)
  }
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    addField()
  }
  const changeName = (text: string) => {
    setName(text)
    setType(known.find((field) => field.name === text.trim())?.type ?? type)
  }
  if (!open) {
    return (
      <Button kind="quiet" className="-ms-3.5 max-sm:-ms-3" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> {texts.dataEditor.add}
      </Button>
    )
  }
  return (
    <div className="flex flex-wrap items-start gap-2 rounded-part bg-panel p-3">
      <div className="min-w-32 flex-1">
        <Combobox
          free
          label={texts.dataEditor.name}
          autoFocus
          value={name}
          error={isUsed ? texts.dataEditor.taken : undefined}
          choices={known
            .filter((field) => !usedNames.includes(field.name))
            .map((field) => ({ value: field.name, label: field.name }))}
          onChoose={changeName}
          onKeyDown={addOnEnter}
        />
      </div>
      <div className="w-28">
        <Select
          label={texts.dataEditor.type}
          value={type}
          options={forUpdate ? texts.dataEditor.types : TYPES_OF_DATA}
          onChange={(event) => setType(event.target.value as NewType)}
        />
      </div>
      <div className="flex w-full justify-end gap-2">
        <Button onClick={() => setOpen(false)}>{texts.dataEditor.cancel}</Button>
        <Button disabled={!canAdd} onClick={addField}>
          {texts.dataEditor.add}
        </Button>
      </div>
    </div>
  )
}
