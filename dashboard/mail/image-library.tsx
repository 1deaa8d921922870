/** The images that the project has uploaded, to use one again. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Images } from 'lucide-react'
import { useState } from 'react'
import { unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { useDebounced } from '../data/use-debounced.ts'
import { Problem } from '../lists/problem.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Input } from '../ui/field.tsx'
import { libraryTexts as T } from './texts.ts'

const SHOWN = 24
const DEBOUNCE_MS = 200

export function ImageLibraryButton({ onChoose }: { onChoose(url: string): void }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Images aria-hidden /> {T.open}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={T.title} wide disposable>
        <Library
          onChoose={(url) => {
            setOpen(false)
            onChoose(url)
          }}
        />
      </Dialog>
    </>
  )
}

function Library({ onChoose }: { onChoose(url: string): void }) {
  const { projectId, api } = useApi()
  const [text, setText] = useState('')
  const search = useDebounced(text.trim(), DEBOUNCE_MS)
  const { data, error } = useQuery({
    queryKey: [projectId, 'uploads', search],
    queryFn: () => unwrap(api.uploads.list({ search: search || undefined, limit: SHOWN })),
    placeholderData: keepPreviousData,
  })
  return (
    <div className="space-y-4">
      <Input
        label={T.search}
        hideLabel
        type="search"
        placeholder={T.search}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {error && <Problem error={error} />}
      {data?.data.length === 0 && <p className="text-sm text-soft">{search ? T.noMatch : T.empty}</p>}
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {data?.data.map(({ id, url, filename, width, height }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => onChoose(url)}
              className="w-full overflow-hidden rounded-part border border-line bg-card text-left hover:border-accent"
            >
              <img src={url} alt="" loading="lazy" className="aspect-square w-full bg-panel object-contain" />
              <span className="block truncate px-2 pt-1.5 text-sm font-medium">{filename}</span>
              <span className="block px-2 pb-1.5 text-xs text-soft">{T.size(width, height)}</span>
            </button>
          </li>
        ))}
      </ul>
      {data?.hasMore && <p className="text-sm text-soft">{T.more(data.data.length)}</p>}
    </div>
  )
}
