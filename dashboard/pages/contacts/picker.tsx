/** Selects one contact, by name or address. */
import type { Schemas } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { nameOf } from '../../pickers/contact-name.ts'
import { findContacts, withoutRepetitions } from '../../pickers/find-contacts.ts'
import { Picker } from '../../pickers/picker.tsx'
import { useRecent } from '../../pickers/use-recent.ts'
import { useServerChoices } from '../../pickers/use-server-choices.ts'
import { pickerTexts } from '../../shell/texts.ts'

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

export function ContactPicker({ label, chosen, onChoose }: ContactPickerProps) {
  const { api } = useApi()
  const [recent] = useRecent('contact')
  const server = useServerChoices('contacts', async (search) => {
    const found = findContacts(api, search, FOUND_MAX)
    const first = search === '' ? recent.map(async (id) => (await api.contacts.get(id)).data ?? []) : []
    return withoutRepetitions([...(await Promise.all(first)).flat(), ...(await found)]).map(choiceOf)
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
