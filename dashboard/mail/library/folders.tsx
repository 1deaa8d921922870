/** The folders of the image library: a field to choose one, a filter, and a dialog that moves images. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Problem } from '../../lists/problem.tsx'
import { Combobox } from '../../pickers/combobox.tsx'
import { Dialog, SubmitActions } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { imageTexts as T } from './texts.ts'

const NAME_MAX = 100

export function useFolders() {
  const { projectId, api } = useApi()
  return (
    useQuery({ queryKey: [projectId, 'uploads', 'folders'], queryFn: () => unwrap(api.uploads.folders()) }).data ?? []
  )
}

interface FieldProps {
  value: string
  hint?: string
  onChange(folder: string): void
}

/** A folder is only a name, so a new one is typed. */
export const FolderField = ({ value, hint = T.folderHint, onChange }: FieldProps) => (
  <Combobox
    free
    label={T.folder}
    hint={hint}
    maxLength={NAME_MAX}
    value={value}
    choices={useFolders().map(({ name, images }) => ({ value: name, label: name, note: T.images(images) }))}
    onChoose={onChange}
  />
)

/** Undefined shows the images of all folders, an empty text those in none. */
export type FolderFilterValue = string | undefined

/** No folder has these as its name. */
const [ALL, NONE] = ['/all', '/none']

export function FolderFilter({
  value,
  onChange,
}: {
  value: FolderFilterValue
  onChange(value: FolderFilterValue): void
}) {
  const folders = useFolders()
  if (folders.length === 0 && value === undefined) return null
  return (
    <Combobox
      label={T.folder}
      hideLabel
      value={value === undefined ? ALL : value === '' ? NONE : `=${value}`}
      chosenLabel={value}
      choices={[
        { value: ALL, label: T.allFolders },
        { value: NONE, label: T.noFolder },
        ...folders.map(({ name, images }) => ({ value: `=${name}`, label: name, note: T.images(images) })),
      ]}
      onChoose={(chosen) => onChange(chosen === ALL ? undefined : chosen === NONE ? '' : chosen.slice(1))}
    />
  )
}

interface MoveProps {
  ids: string[]
  onClose(): void
  /** Also called if only some of them could be moved. */
  onMoved(): void
}

export function MoveDialog({ ids, onClose, onMoved }: MoveProps) {
  const { api } = useApi()
  const { run, busy, problem } = useAction()
  const toast = useToast()
  const [folder, setFolder] = useState('')
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation() // React also reports it to a form around the dialog
    for (const id of ids) {
      if (!(await run(api.uploads.update(id, { folder: folder.trim() })))) return
    }
    toast.done(T.moved(ids.length))
    onMoved()
  }
  return (
    <Dialog open onClose={onClose} title={T.moveTitle(ids.length)} disposable>
      <form onSubmit={handleSubmit} className="space-y-4">
        <FolderField value={folder} hint={T.moveHint} onChange={setFolder} />
        {problem && <Problem error={problem} />}
        <SubmitActions busy={busy} onCancel={onClose}>
          {T.moveAction}
        </SubmitActions>
      </form>
    </Dialog>
  )
}
