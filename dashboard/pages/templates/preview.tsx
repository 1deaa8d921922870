/** A draft rendered for a contact, with the renderer that is used for sending. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useDebounced } from '../../data/use-debounced.ts'
import { contentForApi } from '../../editor/document/content.ts'
import { Problem } from '../../lists/problem.tsx'
import { MailPreview } from '../../mail/mail-preview.tsx'
import { DarkSwitch, WidthSwitch } from '../../mail/width-switch.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ContactPicker } from '../contacts/picker.tsx'
import type { Draft } from './draft.ts'
import { texts } from './texts.ts'

const DEBOUNCE_MS = 350

export type PreviewDraft = Pick<Draft, 'subject' | 'preheader' | 'type' | 'editor' | 'body' | 'document' | 'mjml'>

interface PreviewProps {
  draft: PreviewDraft
  /** Fills the part of the page that it is in. */
  isEmbedded?: boolean
}

export function Preview({ draft, isEmbedded }: PreviewProps) {
  const { projectId, api } = useApi()
  const [contact, setContact] = useState<{ id: string; email: string }>()
  const [phone, setPhone] = useState(false)
  const [dark, setDark] = useState(false)
  const subject = useDebounced(draft.subject, DEBOUNCE_MS)
  const preheader = useDebounced(draft.preheader || null, DEBOUNCE_MS)
  const content = useDebounced(JSON.stringify(contentForApi(draft)), DEBOUNCE_MS)
  const { data, error } = useQuery({
    queryKey: [projectId, 'preview', subject, preheader, content, draft.type, contact?.id],
    queryFn: () => {
      const source: ReturnType<typeof contentForApi> = JSON.parse(content)
      return unwrap(api.templates.preview({ subject, preheader, ...source, type: draft.type, contactId: contact?.id }))
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  })

  return (
    <section
      aria-label={texts.preview.label}
      className={
        isEmbedded
          ? 'min-h-0 flex-1 overflow-y-auto'
          : 'flex min-w-0 flex-col overflow-y-auto rounded-card border border-line bg-card shadow-lift xl:max-h-full xl:self-start'
      }
    >
      <div className="flex flex-wrap items-end justify-between gap-3 border-b border-line px-4 py-3">
        <div className="min-w-56 flex-1 sm:max-w-sm">
          <ContactPicker label={texts.preview.contact} chosen={contact} onChoose={setContact} />
        </div>
        <div className="flex gap-1">
          <WidthSwitch phone={phone} onChange={setPhone} />
          <DarkSwitch dark={dark} onChange={setDark} />
        </div>
      </div>
      {error && (
        <div className="p-4">
          <Problem error={error} />
        </div>
      )}
      {data && (
        <>
          <dl className="space-y-1 border-b border-line px-4 py-3 text-sm">
            <div className="flex gap-2">
              <dt className="text-soft">{texts.preview.subject}</dt>
              <dd className="min-w-0 font-medium">{data.subject || texts.preview.noSubject}</dd>
            </div>
            {data.preheader && (
              <div className="flex gap-2">
                <dt className="text-soft">{texts.preview.preheader}</dt>
                <dd className="min-w-0">{data.preheader}</dd>
              </div>
            )}
            {data.missing.length > 0 && (
              <div className="flex flex-wrap items-center gap-1.5">
                <dt className="text-soft">{texts.preview.missing}</dt>
                {data.missing.map((name) => (
                  <dd key={name}>
                    <Badge tone="warn">{name}</Badge>
                  </dd>
                ))}
              </div>
            )}
          </dl>
          <MailPreview html={data.html} title={texts.preview.frame} phone={phone} dark={dark} trusted fit />
        </>
      )}
    </section>
  )
}
