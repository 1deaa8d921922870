/** Layouts and saved blocks in the visual editor: choosing a layout, and saving and inserting blocks. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { BookmarkPlus } from 'lucide-react'
import { useState } from 'react'
import { type Schemas, unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { Picker } from '../pickers/picker.tsx'
import { pickerTexts, sharedBlockTexts as T } from '../shell/texts.ts'
import { IconButton } from '../ui/button.tsx'
import { NameDialog } from '../ui/name-dialog.tsx'
import { useToast } from '../ui/toast.tsx'

export function useLayouts() {
  const { projectId, api } = useApi()
  return useQuery({ queryKey: [projectId, 'layouts'], queryFn: () => unwrap(api.layouts.list()) })
}

export function useSavedBlocks() {
  const { projectId, api } = useApi()
  return useQuery({ queryKey: [projectId, 'saved-blocks'], queryFn: () => unwrap(api.savedBlocks.list()) })
}

const choiceOf = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })

interface LayoutSelectProps {
  value: string | null | undefined
  onChange(layoutId: string | undefined): void
}

export function LayoutSelect({ value, onChange }: LayoutSelectProps) {
  const { data: layouts } = useLayouts()
  return (
    <Picker
      kind="layout"
      label={T.layout}
      hint={T.layoutHint}
      value={value ?? ''}
      chosenLabel={value && layouts ? pickerTexts.gone : undefined}
      choices={[{ value: '', label: T.noLayout }, ...(layouts ?? []).map(choiceOf)]}
      onChoose={(id) => onChange(id || undefined)}
    />
  )
}

type Blocks = Schemas['SavedBlocks']['blocks']

/** Adds a copy of the chosen blocks. Hidden until there are any. */
export function SavedBlocksSelect({ onInsert }: { onInsert(blocks: Blocks): void }) {
  const { api } = useApi()
  const toast = useToast()
  const { data: saved = [] } = useSavedBlocks()
  const insertBlocks = async (id: string) => {
    const { data, error } = await api.savedBlocks.get(id)
    if (error) return toast.failed(error)
    onInsert(data.blocks)
  }
  if (saved.length === 0) return null
  return (
    <Picker
      kind="saved-blocks"
      label={T.insert}
      placeholder={T.choose}
      value=""
      choices={saved.map(choiceOf)}
      onChoose={(id) => id && void insertBlocks(id)}
    />
  )
}

/** Saves blocks under a name, to insert them into other emails. */
export function SaveBlocks({ blocks }: { blocks: Blocks }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [isOpen, setOpen] = useState(false)
  const showSaved = () => {
    setOpen(false)
    toast.done(T.saved)
    void queries.invalidateQueries({ queryKey: [projectId, 'saved-blocks'] })
  }
  return (
    <>
      <IconButton label={T.save} onClick={() => setOpen(true)}>
        <BookmarkPlus />
      </IconButton>
      {isOpen && (
        <NameDialog
          title={T.save}
          lead={T.saveLead}
          label={T.name}
          action={T.save}
          save={(name) => api.savedBlocks.create({ name, blocks })}
          onSaved={showSaved}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
