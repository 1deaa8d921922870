/** A choice between a few options, each with what it means. */

interface RadioCardsProps<T extends string> {
  /** What is chosen. */
  legend: string
  hideLegend?: boolean
  /** The name of the group, unique on its page. */
  name: string
  value: T
  options: Record<T, { title: string; hint?: string }>
  /** A class for the columns on a wide screen. */
  columns?: string
  onChange(value: T): void
}

export function RadioCards<T extends string>(props: RadioCardsProps<T>) {
  const { legend, hideLegend, name, value, options, columns = '', onChange } = props
  return (
    <fieldset>
      <legend className={hideLegend ? 'sr-only' : 'mb-1.5 text-sm font-medium'}>{legend}</legend>
      <div className={`grid gap-2 ${columns}`}>
        {(Object.entries(options) as [T, { title: string; hint?: string }][]).map(([option, { title, hint }]) => (
          <label
            key={option}
            className="flex cursor-pointer items-start gap-3 rounded-part border border-line p-3 text-sm hover:border-line-strong has-checked:border-accent has-checked:bg-accent-wash/50"
          >
            <input
              type="radio"
              name={name}
              className="mt-0.5 size-4 shrink-0 accent-accent"
              checked={value === option}
              onChange={() => onChange(option)}
            />
            <span>
              <span className="block font-medium">{title}</span>
              {hint && <span className="block text-soft">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
