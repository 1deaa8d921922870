/** HTML with Liquid, for what no other block can do. */
import { Code } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { Loading } from '../../../parts/page.tsx'
import { useCanvas } from '../editing.ts'
import { texts } from '../texts.ts'
import type { BlockDefinition, BlockProps } from './block.ts'

const T = texts.blocks.html
const CODE_MAX = 100_000
const HEIGHT_MAX = 2_000

const CodeEditor = lazy(() =>
  import('../../../parts/code-editor.tsx').then((module) => ({ default: module.CodeEditor })),
)

/** Nothing in the frame runs: scripts are blocked twice, by the sandbox and by the policy. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data: https: http:"

function HtmlView({ block }: BlockProps<'html'>) {
  const { look } = useCanvas()
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(40)
  const style = `body{margin:0;color:${look.textColor};font-family:${look.font.replaceAll('"', "'")}}`
  if (block.code.trim() === '') {
    return <p className="rounded-part bg-panel px-4 py-6 text-center font-sans text-sm text-soft">{T.empty}</p>
  }
  return (
    <iframe
      ref={frame}
      title={T.frame}
      tabIndex={-1}
      sandbox="allow-same-origin"
      referrerPolicy="no-referrer"
      srcDoc={`<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}"><style>${style}</style>${block.code}`}
      onLoad={() => setHeight(frame.current?.contentDocument?.documentElement.scrollHeight ?? height)}
      style={{ height: Math.min(height, HEIGHT_MAX) }}
      className="pointer-events-none w-full"
    />
  )
}

function HtmlForm({ block, set }: BlockProps<'html'>) {
  const [start] = useState(block.code)
  return (
    <div className="h-96 overflow-hidden rounded-part border border-line-strong">
      <Suspense fallback={<Loading />}>
        <CodeEditor
          label={T.code}
          language="html"
          start={start}
          onChange={(code) => set({ code: code.slice(0, CODE_MAX) })}
        />
      </Suspense>
    </div>
  )
}

export const html: BlockDefinition<'html'> = {
  title: T.title,
  icon: Code,
  create: () => ({ code: '' }),
  summary: () => '',
  View: HtmlView,
  Form: HtmlForm,
}
