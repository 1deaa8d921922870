/** Deletes an image after saying where it is used, and what happens to the emails that contain it. */
import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { Problem } from '../../lists/problem.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { imageTexts as T } from './texts.ts'

const SHOWN = 8

interface DeleteProps {
  image: { id: string; name: string }
  onClose(): void
  onDeleted(): void
}

export function DeleteImage({ image, onClose, onDeleted }: DeleteProps) {
  const { api } = useApi()
  const toast = useToast()
  const deleteImage = async () => {
    await unwrap(api.uploads.delete(image.id))
    toast.done(T.deleted)
    onDeleted()
  }
  return (
    <Confirm open onClose={onClose} title={T.deleteTitle(image.name)} action={T.delete} onConfirm={deleteImage}>
      <Uses id={image.id} />
      <p>{T.deleteEffect}</p>
    </Confirm>
  )
}

function Uses({ id }: { id: string }) {
  const { projectId, api } = useApi()
  const { data, error } = useQuery({
    queryKey: [projectId, 'image-uses', id],
    queryFn: () => unwrap(api.uploads.get(id)),
    staleTime: 0,
  })
  if (error) return <Problem error={error} />
  if (!data) return <p role="status">{T.checkingUses}</p>
  const { usedIn } = data
  if (usedIn.length === 0) return <p>{T.unused}</p>
  return (
    <div>
      <p>{T.usedIn}</p>
      <ul className="mt-1 list-inside list-disc text-ink">
        {usedIn.slice(0, SHOWN).map(({ type, id: user, name }) => (
          <li key={`${type} ${user}`} className="wrap-anywhere">
            {T.uses[type](name)}
          </li>
        ))}
      </ul>
      {usedIn.length > SHOWN && <p>{T.moreUses(usedIn.length - SHOWN)}</p>}
    </div>
  )
}
