/** The name of a contact, from the fields that commonly have it. */

/** Field names are compared without case and separators: `first_name` is `firstName`. */
const plain = (key: string) => key.toLowerCase().replace(/[^a-z]/g, '')

const NAME_FIELDS = ['name', 'fullname', 'firstname', 'givenname', 'lastname', 'surname']

export const isNameField = (field: string): boolean => NAME_FIELDS.includes(plain(field))

export function nameOf(data: Record<string, unknown> | null): string {
  const texts = Object.entries(data ?? {}).filter(([, value]) => typeof value === 'string' || typeof value === 'number')
  const fields = new Map(texts.map(([key, value]) => [plain(key), String(value)]))
  const whole = fields.get('name') || fields.get('fullname')
  const parts = [fields.get('firstname') || fields.get('givenname'), fields.get('lastname') || fields.get('surname')]
  if (whole && !(parts[1] && !whole.includes(parts[1]))) return whole
  return [parts[0] || whole, parts[1]].filter(Boolean).join(' ')
}
