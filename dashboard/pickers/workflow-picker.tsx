/** Selects one of the enabled workflows by name. */
import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { pickerTexts } from '../shell/texts.ts'
import { Picker } from './picker.tsx'

const WORKFLOWS_MAX = 1_000

export function useEnabledWorkflows() {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'workflows', 'enabled'],
    queryFn: async () => (await unwrap(api.workflows.list({ pageSize: WORKFLOWS_MAX, sort: 'name' }))).data,
  })
  return data?.filter(({ enabled }) => enabled)
}

interface WorkflowPickerProps {
  label: string
  hint?: string | undefined
  value: string
  onChoose(id: string): void
}

export function WorkflowPicker(props: WorkflowPickerProps) {
  const workflows = useEnabledWorkflows() ?? []
  return (
    <Picker
      {...props}
      kind="workflow"
      placeholder={pickerTexts.workflowPlaceholder}
      choices={workflows.map(({ id, name, description }) => ({
        value: id,
        label: name,
        note: description || undefined,
      }))}
    />
  )
}
