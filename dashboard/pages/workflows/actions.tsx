/** The menu of a workflow, in the list and on its page. */
import { useQueryClient } from '@tanstack/react-query'
import { Copy, Download } from 'lucide-react'
import { projectPage } from '../../addresses.ts'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useNavigate } from '../../links.tsx'
import { saveFile } from '../../lists/save-file.ts'
import { MoreActions } from '../../ui/more-actions.tsx'
import { useToast } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

const T = texts.one

interface WorkflowActionsProps {
  workflow: { id: string; name: string }
  label?: string
  onDeleted?(): Promise<void>
}

export function WorkflowActions({ workflow, label, onDeleted }: WorkflowActionsProps) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const duplicateWorkflow = async () => {
    const { data, error } = await api.workflows.duplicate(workflow.id)
    if (error) return toast.failed(error)
    toast.done(T.duplicated)
    await navigate(projectPage(projectId, 'workflows/$id', { id: data.id }))
  }
  const exportWorkflow = async () => {
    const { data, error } = await api.workflows.export(workflow.id)
    if (error) return toast.failed(error)
    const content = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
    saveFile(`${workflow.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()}.json`, content)
  }
  const deleteWorkflow = async () => {
    await unwrap(api.workflows.delete(workflow.id))
    toast.done(T.deleted)
    await onDeleted?.()
    void queries.invalidateQueries({ queryKey: [projectId, 'workflows'] })
  }
  return (
    <MoreActions
      label={label}
      actions={[
        { icon: Copy, label: T.duplicate, onSelect: () => void duplicateWorkflow() },
        { icon: Download, label: T.export, onSelect: () => void exportWorkflow() },
      ]}
      deleteTexts={T.delete}
      name={workflow.name}
      onDelete={deleteWorkflow}
    >
      {T.deleteHint}
    </MoreActions>
  )
}
