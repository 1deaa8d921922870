/** Selects one contact, by name or address. */
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { Picker } from '../../pickers/picker.tsx'
import { useRecent } from '../../pickers/use-recent.ts'
import { useServerChoices } from '../../pickers/use-server-choices.ts'
import { pickerTexts } from '../../shell/texts.ts'
import { nameOf } from './one/contact-data.ts'

const FOUND_MAX = 20

export interface ChosenContact {
  id: string
  email: string
}

interface ContactPickerProps {
  label: string
  chosen: ChosenContact | undefined
  onChoose(contact: ChosenContact | undefined): void
}

const choiceOf = ({ id, email, data }: Pick<Schemas['Contact'], 'id' | 'email' | 'data'>) => ({
  value: id,
  label: email,
  note: nameOf(data) || undefined,
})

/** The search finds parts of addresses. A whole address is looked up too, because it may match more contacts than are shown. */
export function ContactPicker({ label, chosen, onChoose }: ContactPickerProps) {
  const { api } = useApi()
  const [recent] = useRecent('contact')
  const server = useServerChoices('contacts', async (search) => {
    const list = api.contacts.list({ search: search || undefined, limit: FOUND_MAX })
    const more =
      search === ''
        ? Promise.all(recent.map(async (id) => (await api.contacts.get(id)).data ?? []))
        : search.includes('@')
          ? unwrap(api.contacts.list({ email: search })).then(({ data }) => data)
          : []
    const [found, first] = await Promise.all([unwrap(list), more])
    const all = [...first.flat(), ...found.data]
    return all.filter(({ id }, at) => all.findIndex((one) => one.id === id) === at).map(choiceOf)
  })
  return (
    <Picker
      kind="contact"
      label={label}
      placeholder={pickerTexts.contactPlaceholder}
      optional
      value={chosen?.id ?? ''}
      chosenLabel={chosen?.email}
      onChoose={(id) => onChoose(contactOf(id, server.choices))}
      {...server}
    />
  )
}

function contactOf(id: string, choices: { value: string; label: string }[]): ChosenContact | undefined {
  const choice = choices.find(({ value }) => value === id)
  return choice && { id, email: choice.label }
}
