/** Form fields with a label, a hint and what is wrong with them. */
import { type ComponentProps, type ReactNode, useId } from 'react'
import type { PosthornError } from '../api.ts'

const CONTROL =
  'w-full rounded-part border border-line-strong bg-card px-3 text-sm text-ink transition-colors hover:border-soft focus-visible:border-accent focus-visible:-outline-offset-1 disabled:bg-panel disabled:text-soft aria-invalid:border-bad'

interface Labelled {
  label: string
  hint?: ReactNode
  wrong?: string
  /** For a label that the place makes obvious: still there for screen readers. */
  hideLabel?: boolean
}

function Field({ id, label, hint, wrong, hideLabel, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'mb-1.5 block text-sm font-medium'}>
        {label}
      </label>
      {children}
      {hint && !wrong && (
        <p id={`${id}-hint`} className="mt-1.5 text-[0.8125rem] text-soft">
          {hint}
        </p>
      )}
      {wrong && (
        <p id={`${id}-hint`} className="mt-1.5 text-[0.8125rem] text-bad">
          {wrong}
        </p>
      )}
    </div>
  )
}

const described = (id: string, { hint, wrong }: Pick<Labelled, 'hint' | 'wrong'>) => ({
  'aria-describedby': hint || wrong ? `${id}-hint` : undefined,
  'aria-invalid': wrong ? true : undefined,
})

export function Input({ label, hint, wrong, hideLabel, className = '', ...rest }: Labelled & ComponentProps<'input'>) {
  const id = useId()
  return (
    <Field id={id} {...{ label, hint, wrong, hideLabel }}>
      <input id={id} {...described(id, { hint, wrong })} {...rest} className={`${CONTROL} h-9 ${className}`} />
    </Field>
  )
}

export function TextArea({
  label,
  hint,
  wrong,
  hideLabel,
  className = '',
  ...rest
}: Labelled & ComponentProps<'textarea'>) {
  const id = useId()
  return (
    <Field id={id} {...{ label, hint, wrong, hideLabel }}>
      <textarea id={id} {...described(id, { hint, wrong })} {...rest} className={`${CONTROL} py-2 ${className}`} />
    </Field>
  )
}

/** `options` maps values to words. */
export function Select({
  label,
  hint,
  wrong,
  hideLabel,
  options,
  className = '',
  ...rest
}: Labelled & { options: Record<string, string> } & ComponentProps<'select'>) {
  const id = useId()
  return (
    <Field id={id} {...{ label, hint, wrong, hideLabel }}>
      <select id={id} {...described(id, { hint, wrong })} {...rest} className={`${CONTROL} h-9 pr-8 ${className}`}>
        {Object.entries(options).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  )
}

export function Checkbox({
  label,
  hideLabel,
  ...rest
}: { label: ReactNode; hideLabel?: boolean } & ComponentProps<'input'>) {
  return (
    <label className="flex w-fit items-center gap-2.5 text-sm">
      <input type="checkbox" {...rest} className="size-4 accent-accent" />
      <span className={hideLabel ? 'sr-only' : ''}>{label}</span>
    </label>
  )
}

/** What the API said about one field: errors name fields by dot path. */
export const wrongAt = (error: PosthornError | null | undefined, field: string): string | undefined =>
  error?.errors?.find((item) => item.field === field)?.message
