/** Buttons for choosing a file or uploading an image. */
import { ImageUp } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import type { Schemas } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { useAction } from '../data/use-action.ts'
import { imageUploadTexts as T } from '../shell/texts.ts'
import { Button } from './button.tsx'

interface FileButtonProps {
  /** The label of the file input for screen readers. */
  label: string
  accept: string
  kind?: 'plain' | 'quiet'
  busy?: boolean
  className?: string
  onChoose(file: File): void
  children: ReactNode
}

export function FileButton({ label, accept, onChoose, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        accept={accept}
        aria-label={label}
        className="hidden"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) onChoose(file)
        }}
      />
    </>
  )
}

interface ImageButtonProps extends Pick<FileButtonProps, 'kind' | 'className'> {
  label: string
  /** The folder in the image library. */
  folder?: string | undefined
  onUploaded(url: string, image: Schemas['UploadedImage']): void
}

export function ImageButton({ label, folder, onUploaded, ...look }: ImageButtonProps) {
  const { api } = useApi()
  const { run, busy, problem } = useAction()
  const uploadImage = async (file: File) => {
    const done = await run(api.uploads.image(file, file.name, folder ? { folder } : {}))
    if (done) onUploaded(done.data.url, done.data)
  }
  return (
    <div>
      <FileButton
        {...look}
        label={T.imageFile}
        accept="image/png,image/jpeg,image/gif,image/webp"
        busy={busy}
        onChoose={(file) => void uploadImage(file)}
      >
        <ImageUp aria-hidden /> {label}
      </FileButton>
      {problem && <p className="mt-1.5 text-sm text-bad">{problem.message}</p>}
    </div>
  )
}
