/** One image of the library: its details, a crop, and inserting it. */
import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Crop, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Schemas, unwrap } from '../../data/api.ts'
import { errorOf, plainError } from '../../data/errors.ts'
import { useApi } from '../../data/project.ts'
import { Problem } from '../../lists/problem.tsx'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { fieldError, Input } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { isWhole, whole } from './crop-area.ts'
import { CropFrame } from './crop-frame.tsx'
import { cutImage } from './cut-image.ts'
import { DeleteImage } from './delete-image.tsx'
import { FolderField } from './folders.tsx'
import { imageTexts as T } from './texts.ts'

/** What uploading an image and listing images both return. */
export type LibraryImage = Omit<Schemas['UploadedImage'], 'contentType'> & { contentType: string }

interface OneImageProps {
  image: LibraryImage
  onBack(): void
  onChoose(image: LibraryImage): void
}

const NAME_MAX = 100
const ALT_MAX = 500

/** `Logo.png` is cropped to `Logo (cropped).png`. */
const croppedName = (name: string): string => {
  const [, base, extension] = /^(.*?)(\.\w{1,5})?$/s.exec(name)!
  const addition = ` (${T.cropped})${extension ?? ''}`
  return base!.slice(0, NAME_MAX - addition.length) + addition
}

export function OneImage({ image: opened, onBack, onChoose }: OneImageProps) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [image, setImage] = useState(opened)
  const [details, setDetails] = useState({ name: image.name, folder: image.folder ?? '', alt: image.alt ?? '' })
  const [area, setArea] = useState<ReturnType<typeof whole>>()
  const [state, setState] = useState<{ busy?: boolean; error?: unknown; cutFailed?: boolean }>({})
  const [isDeleting, setDeleting] = useState(false)
  const isChanged =
    details.name !== image.name || details.folder !== (image.folder ?? '') || details.alt !== (image.alt ?? '')
  const isCropped = area !== undefined && !isWhole(area, image)
  const reload = () => queries.invalidateQueries({ queryKey: [projectId, 'uploads'] })

  async function saveDetails(): Promise<LibraryImage> {
    const saved: LibraryImage = await unwrap(api.uploads.update(image.id, details))
    setImage(saved)
    setDetails({ name: saved.name, folder: saved.folder ?? '', alt: saved.alt ?? '' })
    void reload()
    return saved
  }

  /** The original keeps its details; those that were entered are of the crop. */
  async function uploadCrop(): Promise<LibraryImage | undefined> {
    const cut = await cutImage(image.url, image.contentType, area!).catch(() => undefined)
    if (!cut) return undefined
    const name = details.name === image.name ? croppedName(details.name) : details.name
    const uploaded = await unwrap(api.uploads.image(cut, image.filename, { ...details, name }))
    void reload()
    return uploaded
  }

  async function run(work: () => Promise<unknown>) {
    setState({ busy: true })
    await work().then(
      () => setState((now) => ({ ...now, busy: false })),
      (error) => setState({ error }),
    )
  }

  const insert = () =>
    run(async () => {
      const chosen = isCropped ? await uploadCrop() : isChanged ? await saveDetails() : image
      if (chosen) onChoose(chosen)
      else setState({ cutFailed: true })
    })
  const save = () => run(async () => saveDetails().then(() => toast.done(T.saved)))

  const error = state.error === undefined ? null : plainError(errorOf(state.error))
  return (
    <div className="space-y-4">
      <Button kind="quiet" className="-ms-3" onClick={onBack}>
        <ArrowLeft aria-hidden /> {T.back}
      </Button>
      <div className="grid gap-5 sm:grid-cols-[3fr_2fr]">
        <div className="space-y-3">
          <div className="flex justify-center rounded-part border border-line bg-panel p-4">
            <div className="relative">
              <img
                src={image.url}
                alt={details.alt}
                width={image.width}
                height={image.height}
                className="h-auto max-h-[45vh] w-auto max-w-full"
              />
              {area && <CropFrame image={image} area={area} onChange={setArea} />}
            </div>
          </div>
          <div className="flex flex-wrap items-center gap-2">
            <Button aria-pressed={area !== undefined} onClick={() => setArea(area ? undefined : whole(image))}>
              <Crop aria-hidden /> {T.crop}
            </Button>
            {isCropped && (
              <Button kind="quiet" onClick={() => setArea(whole(image))}>
                <RotateCcw aria-hidden /> {T.resetCrop}
              </Button>
            )}
          </div>
          {area && (
            <p className="text-[0.8125rem] text-soft">
              {T.cropHint} {image.contentType === 'image/gif' && T.cropStill}
            </p>
          )}
          {state.cutFailed && (
            <p role="alert" className="text-sm text-bad">
              {T.cropFailed}
            </p>
          )}
        </div>
        <div className="space-y-4">
          <Input
            label={T.name}
            required
            maxLength={NAME_MAX}
            value={details.name}
            error={fieldError(error, 'name')}
            onChange={(event) => setDetails({ ...details, name: event.target.value })}
          />
          <Input
            label={T.alt}
            hint={T.altHint}
            maxLength={ALT_MAX}
            value={details.alt}
            error={fieldError(error, 'alt')}
            onChange={(event) => setDetails({ ...details, alt: event.target.value })}
          />
          <FolderField value={details.folder} onChange={(folder) => setDetails({ ...details, folder })} />
        </div>
      </div>
      {error && <Problem error={error} shown={['name', 'alt']} />}
      <DialogActions>
        <Button kind="remove" className="me-auto -ms-3" onClick={() => setDeleting(true)}>
          <Trash2 aria-hidden /> {T.delete}
        </Button>
        {isChanged && !isCropped && (
          <Button disabled={state.busy} onClick={() => void save()}>
            {T.save}
          </Button>
        )}
        <Button kind="primary" busy={state.busy} onClick={() => void insert()}>
          {isCropped ? T.useCropped : T.use}
        </Button>
      </DialogActions>
      {isDeleting && (
        <DeleteImage
          image={image}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            void reload()
            onBack()
          }}
        />
      )}
    </div>
  )
}
