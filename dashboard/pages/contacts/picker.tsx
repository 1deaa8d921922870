/** Choosing one contact by typing a part of its address. */
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import { unwrap } from '../../api.ts'
import { Input } from '../../parts/field.tsx'
import { useApi } from '../../project.ts'

interface Chosen {
  id: string
  email: string
}

interface PickerProps {
  label: string
  chosen: Chosen | undefined
  onChoose(contact: Chosen | undefined): void
}

export function ContactPicker({ label, chosen, onChoose }: PickerProps) {
  const { projectId, api } = useApi()
  const list = useId()
  const [text, setText] = useState(chosen?.email ?? '')
  const search = useDeferredValue(text)
  const { data } = useQuery({
    queryKey: [projectId, 'contacts', 'pick', search],
    queryFn: async () => (await unwrap(api.contacts.list({ search: search || undefined, limit: 8 }))).data,
  })
  const types = (typed: string) => {
    setText(typed)
    onChoose(data?.find((contact) => contact.email === typed.trim().toLowerCase()))
  }
  return (
    <>
      <Input
        label={label}
        type="search"
        list={list}
        autoComplete="off"
        placeholder="A made-up contact"
        value={text}
        onChange={(event) => types(event.target.value)}
      />
      <datalist id={list}>
        {data?.map((contact) => (
          <option key={contact.id} value={contact.email} />
        ))}
      </datalist>
    </>
  )
}
