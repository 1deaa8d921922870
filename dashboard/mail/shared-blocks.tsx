/** Layouts and saved blocks in the visual editor: choosing a layout, and saving and inserting blocks. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { BookmarkPlus } from 'lucide-react'
import { useState } from 'react'
import { type Schemas, unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { sharedBlockTexts as T } from '../shell/texts.ts'
import { IconButton } from '../ui/button.tsx'
import { Select } from '../ui/field.tsx'
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

interface LayoutSelectProps {
  value: string | null | undefined
  onChange(layoutId: string | undefined): void
}

export function LayoutSelect({ value, onChange }: LayoutSelectProps) {
  const { data: layouts = [] } = useLayouts()
  const options = { '': T.noLayout, ...Object.fromEntries(layouts.map(({ id, name }) => [id, name])) }
  return (
    <Select
      label={T.layout}
      hint={T.layoutHint}
      value={value ?? ''}
      options={options}
      onChange={(event) => onChange(event.target.value || undefined)}
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
    <Select
      label={T.insert}
      value=""
      options={{ '': T.choose, ...Object.fromEntries(saved.map(({ id, name }) => [id, name])) }}
      onChange={(event) => event.target.value && void insertBlocks(event.target.value)}
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
