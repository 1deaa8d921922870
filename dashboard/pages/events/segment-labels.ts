/** Labels of events with the names of segments, because the name of a segment's event has only its slug. */
import { useQuery } from '@tanstack/react-query'
import { activityLabel } from '../../conditions/event-labels.ts'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'

const STALE_MS = 60_000

/** The slug of a segment in the names of its events. */
const slugOf = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{Nd}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

export function useEventLabel(): (name: string, data?: Record<string, unknown>) => string {
  const { projectId, api } = useApi()
  const { data: segments } = useQuery({
    queryKey: [projectId, 'segments'],
    queryFn: () => unwrap(api.segments.list()),
    staleTime: STALE_MS,
  })
  const names = new Map(segments?.map(({ id, name }) => [slugOf(name) || id, name]))
  return (name, data) => {
    const [, slug = ''] = /^segment\.(.+)\.(?:entry|exit)$/.exec(name) ?? []
    return activityLabel(name, { segmentName: names.get(slug), ...data })
  }
}
