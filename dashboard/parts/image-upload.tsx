/** Uploads an image for an email and shows the tag to paste. */
import { ImagePlus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useApi } from '../project.ts'
import { useAction } from '../use-action.ts'
import { Button } from './button.tsx'
import { CopyValue } from './copy.tsx'
import { bodyEditorTexts } from './texts.ts'

export function ImageUpload() {
  const { api } = useApi()
  const input = useRef<HTMLInputElement>(null)
  const { run, busy, problem } = useAction()
  const [url, setUrl] = useState<string>()
  const uploadImage = async (file: File) => {
    const done = await run(api.uploads.image(file, file.name))
    setUrl(done?.data.url)
  }
  return (
    <div className="border-t border-line px-4 py-2.5">
      <Button kind="quiet" busy={busy} onClick={() => input.current?.click()} className="-ml-3">
        <ImagePlus aria-hidden /> {bodyEditorTexts.uploadImage}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        aria-label={bodyEditorTexts.imageFile}
        className="hidden"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void uploadImage(file)
        }}
      />
      {problem && <p className="text-sm text-bad">{problem.message}</p>}
      {url && <CopyValue text={`<img src="${url}" alt="">`} label={bodyEditorTexts.copyImage} />}
    </div>
  )
}
