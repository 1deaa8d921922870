/** A picture for a letter: uploaded, then ready to paste. */
import { ImagePlus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useApi } from '../project.ts'
import { useAct } from '../use-act.ts'
import { Button } from './button.tsx'
import { CopyValue } from './copy.tsx'

export function ImageUpload() {
  const { api } = useApi()
  const input = useRef<HTMLInputElement>(null)
  const { act, busy, problem } = useAct()
  const [url, setUrl] = useState<string>()
  const uploads = async (file: File) => {
    const done = await act(api.uploads.image(file, file.name))
    setUrl(done?.data.url)
  }
  return (
    <div className="border-t border-line px-4 py-2.5">
      <Button kind="quiet" busy={busy} onClick={() => input.current?.click()} className="-ml-3">
        <ImagePlus aria-hidden /> Upload a picture
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        aria-label="A picture for the letter"
        className="hidden"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void uploads(file)
        }}
      />
      {problem && <p className="text-sm text-bad">{problem.message}</p>}
      {url && <CopyValue text={`<img src="${url}" alt="">`} label="Copy the picture" />}
    </div>
  )
}
