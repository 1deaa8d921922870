import { formatNumber } from '../../figures/format.ts'

/** The value at the path of a property, as text. A key can contain dots. */
export function propertyOf(data: Record<string, unknown>, property: string): string {
  const value = Object.hasOwn(data, property)
    ? data[property]
    : property
        .split('.')
        .reduce<unknown>((part, key) => (typeof part === 'object' && part ? Reflect.get(part, key) : undefined), data)
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return formatNumber(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
