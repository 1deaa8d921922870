/** The template version that an email was sent with, as a link to all versions. */
import type { Result } from '@posthorn/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { projectPage } from '../../addresses.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { Moment } from '../../figures/moment.tsx'
import { Link } from '../../links.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { texts } from './texts.ts'

/** Undefined if the version was saved before this was recorded. */
export function whoSaved({ actor }: Pick<Schemas['ContentVersion'], 'actor'>): string | undefined {
  if (actor.type === 'USER') return actor.email ?? texts.formerMember
  return actor.type === 'KEY' ? texts.key : undefined
}

/** Versions are recorded together with what they change. */
const SAVED_WITHIN_MS = 1_000

/** Who saved a template or campaign last: undefined if that changed only its name, sender or tags. */
export async function whoSavedLast(
  versions: Promise<Result<{ data: Pick<Schemas['ContentVersion'], 'actor' | 'createdAt'>[] }>>,
  { updatedAt }: { updatedAt: string },
): Promise<string | undefined> {
  const latest = (await versions).data?.data[0]
  if (!latest || Math.abs(Date.parse(latest.createdAt) - Date.parse(updatedAt)) > SAVED_WITHIN_MS) return undefined
  return latest.actor.email ?? undefined
}

interface VersionLinkProps {
  templateId: string
  children: ReactNode
}

export function VersionLink({ templateId, children }: VersionLinkProps) {
  const { projectId } = useApi()
  return (
    <Link
      to={projectPage(projectId, 'templates/$id', { id: templateId, versions: 'open' })}
      className="font-medium text-accent underline"
    >
      {children}
    </Link>
  )
}

/** The version that new emails use. */
export function CurrentVersion({ templateId }: { templateId: string }) {
  const { projectId, api } = useApi()
  const { data: current } = useQuery({
    queryKey: [projectId, 'templates', templateId, 'versions', 'current'],
    queryFn: async () => (await unwrap(api.templates.versions(templateId))).data[0] ?? null,
  })
  if (!current) return null
  const who = whoSaved(current)
  return (
    <p className="text-[0.8125rem] text-soft">
      <RichText
        text={current.actor.type === 'KEY' ? texts.savedByApi : who ? texts.savedBy : texts.saved}
        elements={{
          version: () => <VersionLink templateId={templateId}>{texts.version(current.number)}</VersionLink>,
          at: () => <Moment at={current.createdAt} />,
          who: () => who,
        }}
      />
    </p>
  )
}
