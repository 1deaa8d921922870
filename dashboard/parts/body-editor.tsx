/** The body of a letter as code. The editor is heavy, so it comes when it is needed. */
import { lazy, Suspense } from 'react'
import { ImageUpload } from './image-upload.tsx'
import { Loading } from './page.tsx'

const CodeEditor = lazy(() => import('./code-editor.tsx').then((module) => ({ default: module.CodeEditor })))

interface BodyProps {
  /** What it begins with; another text starts it anew. */
  start: string
  onChange(body: string): void
  className: string
}

export const BodyEditor = ({ start, onChange, className }: BodyProps) => (
  <section aria-label="Body" className="overflow-hidden rounded-card border border-line bg-card shadow-lift">
    <p className="border-b border-line px-4 py-2.5 text-[0.8125rem] text-soft">
      HTML with Liquid: <code className="font-mono">{'{{name ?? "there"}}'}</code>,{' '}
      <code className="font-mono">{'{% if plan == "pro" %}'}</code>
    </p>
    <div className={className}>
      <Suspense fallback={<Loading />}>
        <CodeEditor label="Body, HTML with Liquid" language="html" start={start} onChange={onChange} />
      </Suspense>
    </div>
    <ImageUpload />
  </section>
)
