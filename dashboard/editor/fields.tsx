/** The fields of the properties panel. A field explains what to enter while its value is invalid. */
import { AlignCenter, AlignLeft, AlignRight, RotateCcw } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { Combobox } from '../pickers/combobox.tsx'
import { IconButton } from '../ui/button.tsx'
import { ColorInput, isColor } from '../ui/color-input.tsx'
import { Input } from '../ui/field.tsx'
import type { Align } from './document/document.ts'
import { useCanvas } from './document/editing.ts'
import { isSafeUrl, toUrl, VARIABLE_NAME } from './text/text-schema.ts'
import { texts } from './texts.ts'

const T = texts.fields

/** The API requires a URL. This one stands for a URL that isn't entered yet. */
export const NO_URL = 'https://'

/** Whether the canvas can show the image at a URL. An incomplete one would be requested from this server. */
export const isImageUrl = (url: string) => url !== NO_URL && isSafeUrl(url)

interface CheckedInputProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  label: string
  hideLabel?: boolean
  value: string
  hint?: string | undefined
  /** What is wrong with the entered text, if anything. */
  check(text: string): string | undefined
  /** Called with invalid text too, so that saving fails instead of silently keeping an earlier value. */
  passesInvalid?: boolean
  /** The value for the entered text. */
  convert?(text: string): string
  onChange(value: string): void
}

const unchanged = (text: string) => text

export function CheckedInput({
  value,
  check,
  passesInvalid = false,
  convert = unchanged,
  onChange,
  ...rest
}: CheckedInputProps) {
  const [text, setText] = useState(value)
  const entered = useRef(value)
  useEffect(() => {
    if (value === entered.current) return
    entered.current = value
    setText(value)
  }, [value])
  return (
    <Input
      {...rest}
      value={text}
      error={check(convert(text.trim()))}
      onChange={(event) => {
        setText(event.target.value)
        const next = convert(event.target.value.trim())
        if (!passesInvalid && check(next) !== undefined) return
        entered.current = next
        onChange(next)
      }}
    />
  )
}

interface ValueProps<V> {
  label: string
  value: V | undefined
  onChange(value: V | undefined): void
}

const URL_MAX = 2_000

export const UrlField = ({ label, value, isOptional, onChange }: ValueProps<string> & { isOptional?: boolean }) => (
  <CheckedInput
    label={label}
    value={value ?? ''}
    maxLength={URL_MAX}
    placeholder="https://"
    spellCheck={false}
    convert={toUrl}
    passesInvalid
    check={(text) => (isSafeUrl(text) || (isOptional && text === '') ? undefined : T.urlError)}
    onChange={(text) => onChange(isOptional && text === '' ? undefined : text)}
  />
)

export function VariableField({
  label,
  hint,
  value,
  isOptional,
  onChange,
}: ValueProps<string> & { hint?: string; isOptional?: boolean }) {
  const { variables } = useCanvas()
  const [typed, setTyped] = useState({ for: value, text: value ?? '' })
  const text = typed.for === value ? typed.text : (value ?? '')
  const isValid = (name: string) => VARIABLE_NAME.test(name) || (isOptional === true && name === '')
  return (
    <Combobox
      free
      label={label}
      hint={hint}
      value={text}
      className="font-mono"
      error={isValid(text.trim()) ? undefined : T.variableError}
      choices={variables.map(({ name }) => ({ value: name, label: name }))}
      onChoose={(next) => {
        const name = next.trim()
        setTyped({ for: isValid(name) ? name || undefined : value, text: next })
        if (isValid(name)) onChange(name || undefined)
      }}
    />
  )
}

/** A default is a value that is in use, not an example. */
const DEFAULT_LOOK = 'placeholder:text-ink'

/** An empty field uses the default. */
export function NumberField({
  label,
  value,
  min,
  max,
  fallback,
  onChange,
}: ValueProps<number> & { min: number; max: number; fallback?: number }) {
  return (
    <CheckedInput
      label={label}
      type="number"
      min={min}
      max={max}
      value={value === undefined ? '' : String(value)}
      placeholder={fallback === undefined ? T.automatic : T.default(fallback)}
      className={DEFAULT_LOOK}
      check={(text) => {
        if (text === '') return undefined
        const number = Number(text)
        return Number.isInteger(number) && number >= min && number <= max ? undefined : T.numberError(min, max)
      }}
      onChange={(text) => onChange(text === '' ? undefined : Number(text))}
    />
  )
}

export const ColorField = ({ label, value, fallback, onChange }: ValueProps<string> & { fallback: string }) => (
  <ColorInput label={label} color={value ?? fallback} onPick={onChange}>
    <CheckedInput
      label={label}
      hideLabel
      value={value ?? ''}
      placeholder={T.default(fallback)}
      spellCheck={false}
      className={`font-mono ${DEFAULT_LOOK}`}
      check={(text) => (text === '' || isColor(text) ? undefined : T.colorError)}
      onChange={(text) => onChange(text || undefined)}
    />
    <IconButton
      label={T.resetColor(label)}
      disabled={value === undefined}
      className="mt-0.5"
      onClick={() => onChange(undefined)}
    >
      <RotateCcw />
    </IconButton>
  </ColorInput>
)

export const ALIGNS = [
  { value: 'left', icon: AlignLeft },
  { value: 'center', icon: AlignCenter },
  { value: 'right', icon: AlignRight },
] as const

export const AlignField = ({ value, fallback, onChange }: Omit<ValueProps<Align>, 'label'> & { fallback: Align }) => (
  <fieldset>
    <legend className="mb-1.5 text-sm font-medium">{T.align}</legend>
    <div className="flex gap-1">
      {ALIGNS.map(({ value: one, icon: Icon }) => (
        <IconButton
          key={one}
          label={T.aligns[one]}
          aria-pressed={(value ?? fallback) === one}
          className={(value ?? fallback) === one ? 'bg-panel text-ink' : ''}
          onClick={() => onChange(one === fallback ? undefined : one)}
        >
          <Icon />
        </IconButton>
      ))}
    </div>
  </fieldset>
)

interface ListFieldsProps {
  block: { list: string; limit?: number }
  set(changes: { list?: string; limit?: number }): void
  children: ReactNode
}

/** Fields of blocks that repeat for each item of a list: the list, the fields of the block, and the number of items. */
export const ListFields = ({ block, set, children }: ListFieldsProps) => (
  <>
    <VariableField
      label={T.list}
      hint={T.listHint}
      value={block.list}
      onChange={(list) => set({ list: list ?? block.list })}
    />
    {children}
    <NumberField label={T.limit} value={block.limit} min={1} max={100} onChange={(limit) => set({ limit })} />
  </>
)
