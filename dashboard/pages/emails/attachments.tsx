/** What came with an email, to be saved. */
import { Paperclip } from 'lucide-react'
import type { Schemas } from '../../api.ts'
import { Card } from '../../parts/page.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'
import { saveFile } from '../../save-file.ts'

const KB = 1024

export function Attachments({ email }: { email: Schemas['EmailWithContent'] }) {
  const { api } = useApi()
  const toast = useToast()
  if (email.attachments.length === 0) return null
  const saves = async (filename: string, n: number) => {
    const { data, error } = await api.emails.attachment(email.id, n)
    if (error) toast.failed(error)
    else saveFile(filename, data as unknown as Blob)
  }
  return (
    <Card title="Attachments">
      <ul className="space-y-2 text-sm">
        {email.attachments.map(({ filename, size }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: known by their place in the email.
          <li key={n} className="flex items-baseline gap-2">
            <Paperclip className="size-3.5 shrink-0 self-center text-soft" aria-hidden />
            <button
              type="button"
              className="min-w-0 text-left font-medium wrap-anywhere hover:underline"
              onClick={() => void saves(filename, n)}
            >
              {filename}
            </button>
            <span className="figures ml-auto shrink-0 text-soft">{Math.ceil(size / KB).toLocaleString()} KB</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
