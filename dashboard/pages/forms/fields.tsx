/** The fields of a form: added, ordered and removed. */
import { ArrowDown, ArrowUp, Plus } from 'lucide-react'
import type { PosthornError } from '../../data/api.ts'
import { useCustomFields } from '../../data/use-contact-facts.ts'
import { Combobox } from '../../pickers/combobox.tsx'
import { Button, IconButton, RemoveButton } from '../../ui/button.tsx'
import { Checkbox, fieldError, Input, Select, TextArea } from '../../ui/field.tsx'
import { type Field, keyOfLabel } from './draft.ts'
import { texts } from './texts.ts'

const FIELDS_MAX = 20

interface FieldsProps {
  fields: Field[]
  onChange(fields: Field[]): void
  error: PosthornError | null | undefined
}

export function Fields({ fields, onChange, error }: FieldsProps) {
  const move = (from: number, to: number) => {
    const moved = [...fields]
    moved.splice(to, 0, ...moved.splice(from, 1))
    onChange(moved)
  }
  const change = (place: number, changes: Partial<Field>) =>
    onChange(fields.map((field, i) => (i === place ? { ...field, ...changes } : field)))
  const addField = () => onChange([...fields, { key: '', label: '', type: 'text', required: false, options: [] }])
  return (
    <div className="space-y-4">
      <ol className="space-y-4">
        {fields.map((field, place) => {
          const name = field.label || texts.editor.field(place + 1)
          const isEmail = field.key === 'email' && field.type === 'email'
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: fields have no other identity while their keys are typed.
            <li key={place} className="space-y-3 rounded-part border border-line p-4">
              <FieldInputs
                field={field}
                isEmail={isEmail}
                errorOf={(part) => fieldError(error, `fields.${place}.${part}`)}
                onChange={(changes) => change(place, changes)}
              />
              <div className="flex items-center justify-between gap-3">
                <Checkbox
                  label={texts.editor.required}
                  checked={field.required}
                  disabled={isEmail}
                  onChange={(event) => change(place, { required: event.target.checked })}
                />
                <span className="flex">
                  <IconButton
                    label={texts.editor.moveUp(name)}
                    disabled={place === 0}
                    onClick={() => move(place, place - 1)}
                  >
                    <ArrowUp />
                  </IconButton>
                  <IconButton
                    label={texts.editor.moveDown(name)}
                    disabled={place === fields.length - 1}
                    onClick={() => move(place, place + 1)}
                  >
                    <ArrowDown />
                  </IconButton>
                  {!isEmail && (
                    <RemoveButton
                      label={texts.editor.remove(name)}
                      onClick={() => onChange(fields.filter((_, i) => i !== place))}
                    />
                  )}
                </span>
              </div>
            </li>
          )
        })}
      </ol>
      <Button disabled={fields.length >= FIELDS_MAX} onClick={addField}>
        <Plus aria-hidden /> {texts.editor.addField}
      </Button>
    </div>
  )
}

interface FieldInputsProps {
  field: Field
  isEmail: boolean
  errorOf(part: string): string | undefined
  onChange(changes: Partial<Field>): void
}

function FieldInputs({ field, isEmail, errorOf, onChange }: FieldInputsProps) {
  const error = (part: string) => {
    const message = errorOf(part)
    return message === undefined ? {} : { error: message }
  }
  const known = useCustomFields().filter((name) => !name.includes('.'))
  /** The key follows the label until it is changed. */
  const changeLabel = (label: string) =>
    onChange({ label, ...(field.key === keyOfLabel(field.label) && { key: keyOfLabel(label) }) })
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-3">
        <Input
          label={texts.editor.label}
          maxLength={200}
          value={field.label}
          {...error('label')}
          onChange={(event) => (isEmail ? onChange({ label: event.target.value }) : changeLabel(event.target.value))}
        />
        <Combobox
          free
          label={texts.editor.key}
          className="font-mono"
          maxLength={50}
          disabled={isEmail}
          value={field.key}
          choices={known.map((name) => ({ value: name, label: name }))}
          {...error('key')}
          onChoose={(key) => onChange({ key })}
        />
        <Select
          label={texts.editor.type}
          options={texts.editor.types}
          disabled={isEmail}
          value={field.type}
          {...error('type')}
          onChange={(event) => {
            const type = event.target.value as Field['type']
            onChange({ type, ...(type !== 'select' && { options: [] }) })
          }}
        />
      </div>
      {field.type === 'select' && (
        <TextArea
          label={texts.editor.options}
          hint={texts.editor.optionsHint}
          rows={3}
          value={field.options.join('\n')}
          {...error('options')}
          onChange={(event) => onChange({ options: event.target.value.split('\n') })}
        />
      )}
    </>
  )
}
