/** Selects one contact by typing part of its address. */
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useId, useState } from 'react'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { Input } from '../../ui/field.tsx'
import { texts } from './texts.ts'

interface Chosen {
  id: string
  email: string
}

interface PickerProps {
  label: string
  chosen: Chosen | undefined
  onChoose(contact: Chosen | undefined): void
}

const hasAddress = ({ email }: Chosen, text: string) => email === text.trim().toLowerCase()

export function ContactPicker({ label, chosen, onChoose }: PickerProps) {
  const { projectId, api } = useApi()
  const list = useId()
  const [text, setText] = useState(chosen?.email ?? '')
  const search = useDeferredValue(text)
  const { data } = useQuery({
    queryKey: [projectId, 'contacts', 'pick', search],
    queryFn: async () => {
      const matching = (await unwrap(api.contacts.list({ search: search || undefined, limit: 8 }))).data
      if (!search.includes('@') || matching.some((contact) => hasAddress(contact, search))) return matching
      return [...(await unwrap(api.contacts.list({ email: search.trim() }))).data, ...matching]
    },
  })
  const match = data?.find((contact) => hasAddress(contact, text))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the response may arrive after the last key.
  useEffect(() => {
    if (data && match?.id !== chosen?.id) onChoose(match)
  }, [data, match?.id])
  return (
    <>
      <Input
        label={label}
        type="search"
        list={list}
        autoComplete="off"
        placeholder={texts.picker.placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <datalist id={list}>
        {data?.map((contact) => (
          <option key={contact.id} value={contact.email} />
        ))}
      </datalist>
    </>
  )
}
