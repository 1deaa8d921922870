/** The attachments of an email, to download. */
import { Paperclip } from 'lucide-react'
import type { Schemas } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { formatKilobytes } from '../../figures/format.ts'
import { saveFile } from '../../lists/save-file.ts'
import { Card } from '../../shell/page.tsx'
import { useToast } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

export function Attachments({ email }: { email: Schemas['EmailWithContent'] }) {
  const { api } = useApi()
  const toast = useToast()
  if (email.attachments.length === 0) return null
  const saveAttachment = async (filename: string, n: number) => {
    const { data, error } = await api.emails.attachment(email.id, n)
    if (error) toast.failed(error)
    else saveFile(filename, data as unknown as Blob)
  }
  return (
    <Card title={texts.attachments}>
      <ul className="space-y-2 text-sm">
        {email.attachments.map(({ filename, size }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: attachments are identified by their position.
          <li key={n} className="flex items-baseline gap-2">
            <Paperclip className="size-3.5 shrink-0 self-center text-soft" aria-hidden />
            <button
              type="button"
              className="min-w-0 text-start font-medium wrap-anywhere hover:underline"
              onClick={() => void saveAttachment(filename, n)}
            >
              {filename}
            </button>
            <span className="figures ms-auto shrink-0 text-soft">{formatKilobytes(size)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
