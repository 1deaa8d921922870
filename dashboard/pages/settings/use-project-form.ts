/** A form for some settings of the project, saved only if nobody else has changed them since it was opened. */
import { useQueryClient } from '@tanstack/react-query'
import { projectsQuery, type Schemas, userApi } from '../../data/api.ts'
import { useProject } from '../../data/project.ts'
import { useDraft } from '../../data/use-draft.ts'
import type { Parts } from '../../saving/merge.ts'
import { useSave } from '../../saving/use-save.tsx'
import { errorTexts } from '../../shell/texts.ts'
import { useToast } from '../../ui/toast.tsx'

type Project = Schemas['Project']

interface ProjectForm<D> {
  draftOf(project: Project): D
  /** The fields to save. */
  changesOf(draft: D): Parameters<typeof userApi.projects.update>[1]
  partsOf?(draft: D): Parts
  draftFrom?(parts: Parts): D
  labelOf?(part: string): string
  /** The message when it is saved. */
  saved: string
  onSaved?(project: Project): unknown
}

/** The audit log has an entry for each change. */
const SAVED_WITHIN_MS = 1_000

export function useProjectForm<D extends object>({
  draftOf,
  changesOf,
  saved: message,
  onSaved,
  ...more
}: ProjectForm<D>) {
  const project = useProject()
  const queries = useQueryClient()
  const toast = useToast()
  const form = useDraft(draftOf(project), { readAt: project.updatedAt, follow: true })
  const saving = useSave(form, {
    ...more,
    read: () => readProject(project.id),
    save: (draft, condition) => userApi.projects.update(project.id, changesOf(draft), condition),
    draftOf,
    whoSaved,
    onSaved: async (saved: Project) => {
      toast.done(message)
      await queries.invalidateQueries(projectsQuery)
      onSaved?.(saved)
    },
  })
  return { ...form, ...saving, project }
}

async function readProject(id: string) {
  const { data, error } = await userApi.projects.list()
  if (error) return { error }
  const project = data.find((one) => one.id === id)
  return project ? { data: project } : { error: { code: 'NOT_FOUND', message: errorTexts.notFound, statusCode: 404 } }
}

async function whoSaved({ id, updatedAt }: Project): Promise<string | undefined> {
  const { data } = await userApi.projects.auditLog(id, { limit: 1 })
  const latest = data?.data[0]
  if (!latest || Math.abs(Date.parse(latest.createdAt) - Date.parse(updatedAt)) > SAVED_WITHIN_MS) return undefined
  return latest.actor.email ?? undefined
}
