/** HTML with Liquid, for what no other block can do. */
import { Code } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Loading } from '../../shell/page.tsx'
import { useCanvas } from '../document/editing.ts'
import { texts } from '../texts.ts'
import type { BlockDefinition, BlockProps } from './block.ts'

const T = texts.blocks.html
const HEIGHT_MAX = 2_000

const CodeEditor = lazy(() => import('../../ui/code-editor.tsx').then((module) => ({ default: module.CodeEditor })))

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
  const entered = useRef(block.code)
  const [shown, setShown] = useState({ code: block.code, revision: 0 })
  // Undo and redo replace the code; what was typed is already in it.
  useEffect(() => {
    if (block.code === entered.current) return
    entered.current = block.code
    setShown(({ revision }) => ({ code: block.code, revision: revision + 1 }))
  }, [block.code])
  const changeCode = (code: string) => {
    if (code === entered.current) return
    entered.current = code
    set({ code })
  }
  return (
    <div className="h-96 overflow-hidden rounded-part border border-line-strong">
      <Suspense fallback={<Loading />}>
        <CodeEditor label={T.code} language="html" start={shown.code} revision={shown.revision} onChange={changeCode} />
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
