/** The suppression of a contact's address: why and since when, and its removal. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import { useState } from 'react'
import { type Schemas, unwrap } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { Moment } from '../../../figures/moment.tsx'
import { RichText } from '../../../shell/rich-text.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { texts as suppressionTexts } from '../../suppressions/texts.ts'
import { texts } from '../texts.ts'

type Suppression = Schemas['Suppression']

export function useSuppression(email: string | undefined): Suppression | undefined {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'suppressions', { email }],
    enabled: email !== undefined,
    queryFn: async () => (await unwrap(api.suppressions.list({ email, limit: 100 }))).data,
  })
  return data?.find(({ topic }) => topic === null)
}

/** Which of these addresses are suppressed; undefined while loading. */
export function useSuppressed(emails: string[]): ReadonlySet<string> | undefined {
  const { projectId, api } = useApi()
  const email = emails.join(',')
  const { data } = useQuery({
    queryKey: [projectId, 'suppressions', { email }],
    enabled: emails.length > 0,
    queryFn: async () => (await unwrap(api.suppressions.list({ email, limit: 100 }))).data,
    placeholderData: keepPreviousData,
  })
  return data && new Set(data.flatMap(({ email, topic }) => (topic === null ? [email] : [])))
}

export function SuppressionNotice({ suppression: { email, reason, createdAt } }: { suppression: Suppression }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [removing, setRemoving] = useState(false)
  const removeSuppression = async () => {
    await unwrap(api.suppressions.delete(email))
    toast.done(suppressionTexts.removed)
    void queries.invalidateQueries({ queryKey: [projectId, 'suppressions'] })
  }
  return (
    <section
      aria-label={texts.suppression.label}
      className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-bad/30 bg-bad-wash px-5 py-4 text-sm"
    >
      <Ban className="size-5 shrink-0 text-bad" aria-hidden />
      <div className="min-w-0 flex-1 basis-72">
        <p className="font-medium text-bad">{texts.suppression.title(suppressionTexts.reasons[reason])}</p>
        <p>
          <RichText text={texts.suppression.since} elements={{ time: () => <Moment at={createdAt} /> }} />
        </p>
      </div>
      <Button onClick={() => setRemoving(true)}>{texts.suppression.remove}</Button>
      <Confirm
        open={removing}
        onClose={() => setRemoving(false)}
        title={suppressionTexts.removeTitle}
        action={suppressionTexts.removeAction}
        onConfirm={removeSuppression}
      >
        <p>{suppressionTexts.removeEffect(email)}</p>
      </Confirm>
    </section>
  )
}
