/** The images that the project has uploaded, to use one again: search, folders, and one image with its details. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { FolderInput, Images } from 'lucide-react'
import { useState } from 'react'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useDebounced } from '../../data/use-debounced.ts'
import { Empty } from '../../lists/empty-state.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { ImageButton } from '../../ui/file-button.tsx'
import { imageLibraryTexts as L } from '../texts.ts'
import { FolderFilter, type FolderFilterValue, MoveDialog, useFolders } from './folders.tsx'
import { type LibraryImage, OneImage } from './one-image.tsx'
import { imageTexts as T } from './texts.ts'

const SHOWN = 24
const DEBOUNCE_MS = 200

interface ButtonProps {
  kind?: 'plain' | 'quiet'
  className?: string
  onChoose(image: LibraryImage): void
}

export function ImageLibraryButton({ kind, className, onChoose }: ButtonProps) {
  const [open, setOpen] = useState(false)
  const [filter, setFilter] = useState<Filter>({ text: '', folder: undefined })
  const [image, setImage] = useState<LibraryImage>()
  return (
    <>
      <Button
        kind={kind}
        className={className}
        onClick={() => {
          setImage(undefined)
          setOpen(true)
        }}
      >
        <Images aria-hidden /> {L.open}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={image ? image.name : L.title} wide disposable>
        {image ? (
          <OneImage
            key={image.id}
            image={image}
            onBack={() => setImage(undefined)}
            onChoose={(chosen) => {
              setOpen(false)
              onChoose(chosen)
            }}
          />
        ) : (
          <Library filter={filter} onFilter={setFilter} onOpen={setImage} />
        )}
      </Dialog>
    </>
  )
}

interface Filter {
  text: string
  folder: FolderFilterValue
}

interface LibraryProps {
  /** Kept while an image is open. */
  filter: Filter
  onFilter(filter: Filter): void
  onOpen(image: LibraryImage): void
}

function Library({ filter, onFilter, onOpen }: LibraryProps) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const search = useDebounced(filter.text.trim(), DEBOUNCE_MS)
  const { folder } = filter
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isMoving, setMoving] = useState(false)
  const hasFolders = useFolders().length > 0
  const list = useInfiniteQuery({
    queryKey: [projectId, 'uploads', 'list', search, folder ?? null],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      unwrap(api.uploads.list({ search: search || undefined, folder, limit: SHOWN, cursor: pageParam })),
    getNextPageParam: (page) => page.cursor ?? undefined,
    placeholderData: (previous) => previous,
    // Images are uploaded in many places.
    refetchOnMount: 'always',
  })
  const images = list.data?.pages.flatMap((page) => page.data)
  const isEmpty = images?.length === 0 && !list.isPlaceholderData
  const isFiltered = search !== '' || folder !== undefined
  const reload = () => queries.invalidateQueries({ queryKey: [projectId, 'uploads'] })
  const uploadButton = (
    <ImageButton
      label={T.upload}
      folder={folder}
      onUploaded={(_url, image) => {
        void reload()
        onOpen(image)
      }}
    />
  )
  if (isEmpty && !isFiltered)
    return (
      <Empty icon={Images} title={T.emptyTitle} actions={uploadButton}>
        {T.empty}
      </Empty>
    )
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    setSelected(next)
  }
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-40 flex-1">
          <Input
            label={T.search}
            hideLabel
            type="search"
            placeholder={T.search}
            value={filter.text}
            onChange={(event) => onFilter({ ...filter, text: event.target.value })}
          />
        </div>
        <div className="min-w-40 empty:hidden max-sm:flex-1">
          <FolderFilter value={folder} onChange={(next) => onFilter({ ...filter, folder: next })} />
        </div>
        {uploadButton}
      </div>
      {selected.size > 0 ? (
        <div className="flex flex-wrap items-center gap-2 text-sm">
          <span role="status">{T.selected(selected.size)}</span>
          <Button onClick={() => setMoving(true)}>
            <FolderInput aria-hidden /> {T.move}
          </Button>
          <Button kind="quiet" onClick={() => setSelected(new Set())}>
            {T.clear}
          </Button>
        </div>
      ) : (
        !hasFolders && images && images.length > 1 && <p className="text-sm text-soft">{T.foldersHint}</p>
      )}
      {list.error && <Problem error={list.error} />}
      {isEmpty && <p className="text-sm text-soft">{L.noMatch}</p>}
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {images?.map((image) => (
          <ImageCard
            key={image.id}
            image={image}
            isSelected={selected.has(image.id)}
            onOpen={() => onOpen(image)}
            onToggle={() => toggle(image.id)}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {T.showMore}
        </Button>
      )}
      {isMoving && (
        <MoveDialog
          ids={[...selected]}
          onClose={() => {
            setMoving(false)
            void reload()
          }}
          onMoved={() => {
            setMoving(false)
            setSelected(new Set())
            void reload()
          }}
        />
      )}
    </div>
  )
}

interface CardProps {
  image: LibraryImage
  isSelected: boolean
  onOpen(): void
  onToggle(): void
}

const ImageCard = ({ image, isSelected, onOpen, onToggle }: CardProps) => (
  <li className="relative">
    <button
      type="button"
      onClick={onOpen}
      className={`w-full overflow-hidden rounded-part border bg-card text-start hover:border-accent ${isSelected ? 'border-accent' : 'border-line'}`}
    >
      <img src={image.url} alt="" loading="lazy" className="aspect-square w-full bg-panel object-contain" />
      <span className="block truncate px-2 pt-1.5 text-sm font-medium">{image.name}</span>
      <span className="block truncate px-2 pb-1.5 text-xs text-soft">
        {L.size(image.width, image.height)}
        {image.folder && ` · ${image.folder}`}
      </span>
    </button>
    <label className="absolute top-0 start-0 flex size-10 cursor-pointer items-center justify-center">
      <span className="sr-only">{T.select(image.name)}</span>
      <input type="checkbox" checked={isSelected} onChange={onToggle} className="size-4.5 accent-accent" />
    </label>
  </li>
)
