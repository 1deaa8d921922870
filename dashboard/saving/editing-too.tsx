/** Tells who else has the same thing open in an editor, or that another tab has it, before both change it at once. */
import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { unwrap, userApi } from '../data/api.ts'
import { useProjectId } from '../data/project.ts'
import { editingTexts } from './texts.ts'
import { useOtherTab } from './use-other-tab.ts'

/** Three reports until the server forgets an editor. */
const REPORT_MS = 15_000

type Kind = Parameters<typeof userApi.projects.members.reportEditing>[1]['kind']

export function EditingToo({ kind, id }: { kind: Kind; id: string }) {
  const projectId = useProjectId()
  const { data } = useQuery({
    queryKey: [projectId, 'editing', kind, id],
    queryFn: () => unwrap(userApi.projects.members.reportEditing(projectId, { kind, id })),
    refetchInterval: REPORT_MS,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
    retry: false,
  })
  const others = data?.others ?? []
  const inOtherTab = useOtherTab(`${projectId} ${kind} ${id}`)
  const notice = others.length > 0 ? editingTexts.others(others.map(({ email }) => email)) : editingTexts.otherTab
  return (
    <p aria-live="polite" className="pointer-events-none fixed inset-x-4 bottom-4 z-20 flex justify-center">
      {(others.length > 0 || inOtherTab) && (
        <span className="flex items-center gap-2 rounded-full border border-warn/40 bg-card px-4 py-1.5 text-sm shadow-float [&_svg]:size-4 [&_svg]:text-warn">
          <Users aria-hidden /> {notice}
        </span>
      )}
    </p>
  )
}
