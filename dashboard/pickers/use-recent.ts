/** What was chosen last in this browser, by kind and project. Only IDs are kept. */
import { useProjectId } from '../data/project.ts'
import { useStored } from '../data/stored.ts'

export type PickerKind =
  | 'api-key'
  | 'campaign'
  | 'contact'
  | 'event'
  | 'field'
  | 'layout'
  | 'saved-blocks'
  | 'segment'
  | 'tag'
  | 'template'
  | 'topic'
  | 'workflow'

const RECENT_MAX = 5

export function useRecent(kind: PickerKind): [string[], (chosen: string) => void] {
  const [recent, store] = useStored<string[]>(`posthorn.recent.${kind}.${useProjectId()}`, [])
  return [recent, (chosen) => store([chosen, ...recent.filter((one) => one !== chosen)].slice(0, RECENT_MAX))]
}
