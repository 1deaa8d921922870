/** Form fields with a label, a hint and an error. */
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import type { PosthornError } from '../data/api.ts'

export const CONTROL =
  'w-full rounded-part border border-line-strong bg-card px-3 text-sm text-ink transition-colors hover:border-soft focus-visible:border-accent focus-visible:-outline-offset-1 disabled:bg-panel disabled:text-soft aria-invalid:border-bad'

export interface Labelled {
  label: string
  hint?: ReactNode
  error?: string
  /** For labels that are obvious from the context: only screen readers get them. */
  hideLabel?: boolean
}

export function Field({ id, label, hint, error, hideLabel, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'mb-1.5 block text-sm font-medium'}>
        {label}
      </label>
      {children}
      {hint && !error && (
        <p id={`${id}-hint`} className="mt-1.5 text-[0.8125rem] text-soft">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-hint`} className="mt-1.5 text-[0.8125rem] text-bad">
          {error}
        </p>
      )}
    </div>
  )
}

export const described = (id: string, { hint, error }: Pick<Labelled, 'hint' | 'error'>) => ({
  'aria-describedby': hint || error ? `${id}-hint` : undefined,
  'aria-invalid': error ? true : undefined,
})

export function Input({ label, hint, error, hideLabel, className = '', ...rest }: Labelled & ComponentProps<'input'>) {
  const id = useId()
  return (
    <Field id={id} {...{ label, hint, error, hideLabel }}>
      <input id={id} {...described(id, { hint, error })} {...rest} className={`${CONTROL} h-9 ${className}`} />
    </Field>
  )
}

interface NumberProps extends Labelled, Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange'> {
  value: number | undefined
  /** Undefined if the field is empty, or isn't a number yet, such as "-". */
  onChange(value: number | undefined): void
}

/** Shows the typed text while the field has the focus, and the value afterwards. */
export function NumberInput({ value, onChange, ...rest }: NumberProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <Input
      step="any"
      {...rest}
      type="number"
      value={typed ?? value ?? ''}
      onChange={(event) => {
        setTyped(event.target.value)
        onChange(event.target.value === '' ? undefined : event.target.valueAsNumber)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}

export function TextArea({
  label,
  hint,
  error,
  hideLabel,
  className = '',
  ...rest
}: Labelled & ComponentProps<'textarea'>) {
  const id = useId()
  return (
    <Field id={id} {...{ label, hint, error, hideLabel }}>
      <textarea id={id} {...described(id, { hint, error })} {...rest} className={`${CONTROL} py-2 ${className}`} />
    </Field>
  )
}

/** `options` maps values to labels. */
export function Select({
  label,
  hint,
  error,
  hideLabel,
  options,
  className = '',
  ...rest
}: Labelled & { options: Record<string, string> } & ComponentProps<'select'>) {
  const id = useId()
  return (
    <Field id={id} {...{ label, hint, error, hideLabel }}>
      <select id={id} {...described(id, { hint, error })} {...rest} className={`${CONTROL} h-9 pe-8 ${className}`}>
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  )
}

export function Checkbox({
  label,
  hint,
  hideLabel,
  ...rest
}: { label: ReactNode; hint?: string; hideLabel?: boolean } & ComponentProps<'input'>) {
  const id = useId()
  const checkbox = (
    <label className="flex w-fit items-start gap-2.5 text-sm">
      <input
        type="checkbox"
        {...rest}
        {...(hint && described(id, { hint }))}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span className={hideLabel ? 'sr-only' : ''}>{label}</span>
    </label>
  )
  if (!hint) return checkbox
  return (
    <div>
      {checkbox}
      <p id={`${id}-hint`} className="mt-0.5 ps-6.5 text-[0.8125rem] text-soft">
        {hint}
      </p>
    </div>
  )
}

/** The API's error about one field. Errors name fields by dot path. */
export const fieldError = (error: PosthornError | null | undefined, field: string): string | undefined =>
  error?.errors?.find((item) => item.field === field)?.message
