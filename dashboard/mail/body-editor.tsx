/** The body of an email as code. The editor is large, so it is loaded on demand. */
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Loading } from '../shell/page.tsx'
import { RichText } from '../shell/rich-text.tsx'
import { bodyEditorTexts } from '../shell/texts.ts'
import { CopyValue } from '../ui/copy.tsx'
import { ImageButton } from '../ui/file-button.tsx'
import { ImageLibraryButton } from './library/image-library.tsx'
import type { LibraryImage } from './library/one-image.tsx'

const CodeEditor = lazy(() => import('../ui/code-editor.tsx').then((module) => ({ default: module.CodeEditor })))

interface BodyProps {
  /** The initial text. A new value replaces the content of the editor. */
  start: string
  /** A new number replaces the content even if `start` is the same. */
  revision?: number
  onChange(body: string): void
  className: string
  /** What the code is, for screen readers; HTML by default. */
  label?: string | undefined
  /** Shown above the code. */
  tools?: ReactNode
  /** Undo and redo of the page. */
  steps?: { undo(): unknown; redo(): unknown } | undefined
}

export const BodyEditor = ({ start, revision, onChange, className, label, tools, steps }: BodyProps) => (
  <section
    aria-label={bodyEditorTexts.section}
    className="flex min-w-0 flex-col overflow-hidden rounded-card border border-line bg-card shadow-lift"
  >
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-b border-line px-3 py-2 empty:hidden">
      {tools}
    </div>
    <div className={className}>
      <Suspense fallback={<Loading />}>
        <CodeEditor
          label={label ?? bodyEditorTexts.editor}
          language="html"
          start={start}
          revision={revision}
          onChange={onChange}
          steps={steps}
        />
      </Suspense>
    </div>
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2.5">
      <ImageTag />
      <p className="text-[0.8125rem] text-soft">
        <RichText
          text={bodyEditorTexts.hint}
          elements={{
            variable: () => <code className="font-mono whitespace-nowrap">{'{{name ?? "there"}}'}</code>,
            tag: () => <code className="font-mono whitespace-nowrap">{'{% if plan == "pro" %}'}</code>,
          }}
        />
      </p>
    </div>
  </section>
)

/** Wider images are scaled to the width of most emails. */
const IMAGE_WIDTH_MAX = 600

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** With its size, so that its space is known before it is loaded, and a style for narrow screens. */
function imageTag({ url, alt, width, height }: LibraryImage): string {
  const shown = Math.min(width, IMAGE_WIDTH_MAX)
  const size = `width="${shown}" height="${Math.max(1, Math.round((shown * height) / width))}"`
  return `<img src="${url}" alt="${escaped(alt ?? '')}" ${size} style="max-width:100%;height:auto">`
}

/** Uploads an image, or takes one from the library, and shows the tag to paste. */
function ImageTag() {
  const [image, setImage] = useState<LibraryImage>()
  return (
    <>
      <ImageButton
        kind="quiet"
        label={bodyEditorTexts.uploadImage}
        className="-ms-3"
        onUploaded={(_url, uploaded) => setImage(uploaded)}
      />
      <ImageLibraryButton kind="quiet" className="-ms-3" onChoose={setImage} />
      {image && <CopyValue text={imageTag(image)} label={bodyEditorTexts.copyImage} />}
    </>
  )
}
