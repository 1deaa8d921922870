import { formatNumber } from '../../figures/format.ts'
import { formatValue } from '../contacts/one/contact-data.ts'

/** The value at the path of a property, as text. A key can contain dots. */
export function propertyOf(data: Record<string, unknown>, property: string): string {
  const value = Object.hasOwn(data, property)
    ? data[property]
    : property
        .split('.')
        .reduce<unknown>((part, key) => (typeof part === 'object' && part ? Reflect.get(part, key) : undefined), data)
  return typeof value === 'number' ? formatNumber(value) : formatValue(value)
}
