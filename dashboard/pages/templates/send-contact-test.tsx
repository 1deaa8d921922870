/** Sends a test email that is rendered with the data of a contact of your choice. */
import type { Result } from '@posthorn/sdk'
import { useState } from 'react'
import { SendTest } from '../../mail/send-test.tsx'
import { ContactPicker } from '../contacts/picker.tsx'
import { texts } from './texts.ts'

interface SendContactTestProps<T> {
  lead: string
  /** The recipient, and the contact whose data is used. */
  send(test: { email: string; contactId?: string }): Promise<Result<T>>
  view?(response: T): void
}

export function SendContactTest<T>({ lead, send, view }: SendContactTestProps<T>) {
  const [contact, setContact] = useState<{ id: string; email: string }>()
  const sendTest = (email: string) => send({ email, ...(contact && { contactId: contact.id }) })
  return (
    <SendTest lead={lead} send={sendTest} {...(view && { view })}>
      <ContactPicker label={texts.editor.testContact} chosen={contact} onChoose={setContact} />
    </SendTest>
  )
}
