/** The content of an email in the editor it is written with, and the choice between the editors. */
import { lazy, Suspense, useMemo, useState } from 'react'
import { type PosthornError, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import {
  type Content,
  compileContent,
  contentFromHtml,
  type EditorKind,
  mjmlFromHtml,
} from '../../editor/document/content.ts'
import type { EmailDocument } from '../../editor/document/document.ts'
import { texts } from '../../editor/texts.ts'
import { BodyEditor } from '../../mail/body-editor.tsx'
import type { Steps } from '../../saving/use-draft-history.ts'
import { Loading } from '../../shell/page.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { Preview, type PreviewDraft } from './preview.tsx'

const VisualEditor = lazy(() =>
  import('../../editor/visual-editor.tsx').then((module) => ({ default: module.VisualEditor })),
)

const T = texts.kinds

interface ContentEditorProps {
  draft: PreviewDraft
  /** Changes with the same key are one step. */
  edit(change: (content: Content) => Partial<Content>, key?: string): void
  /** Undo and redo for the whole email. */
  steps: Steps
  /** A new number means that the content was replaced, for example by a template. */
  revision: number
  error: PosthornError | null
  /** What the content can be written in. */
  kinds?: EditorKind[]
}

export function ContentEditor({ draft, edit, steps, revision, error, kinds: offered = KINDS }: ContentEditorProps) {
  const { editor, body, document, mjml } = draft
  const content: Content = { editor, body, document, mjml }
  const [replaced, setReplaced] = useState(0)
  const isMjml = editor === 'mjml'
  // biome-ignore lint/correctness/useExhaustiveDependencies: the code editor has what was typed since
  const start = useMemo(() => (isMjml ? (mjml ?? '') : body), [editor, revision, replaced])
  const replaceContent = (next: Content) => {
    edit(() => next)
    setReplaced((count) => count + 1)
  }
  const kinds = <KindSwitch kinds={offered} content={content} onSwitch={replaceContent} />

  if (editor === 'visual' && document) {
    const editDocument = (change: (document: EmailDocument) => EmailDocument, key?: string) =>
      edit((now) => {
        const next = now.document && change(now.document)
        return next === now.document ? now : { document: next }
      }, key)
    const history = { ...steps, document, edit: editDocument }
    return (
      <Suspense fallback={<Loading />}>
        <VisualEditor history={history} error={error} kinds={kinds} preview={<Preview draft={draft} isEmbedded />} />
      </Suspense>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-6 xl:max-h-[44rem] xl:min-h-[30rem] xl:grid-cols-2 xl:grid-rows-1">
      <BodyEditor
        key={editor}
        label={isMjml ? T.mjmlLabel : undefined}
        tools={kinds}
        start={start}
        revision={revision + replaced}
        steps={steps}
        onChange={(text) => edit((now) => changedCode(now, isMjml ? { mjml: text } : { body: text }), 'code')}
        className="h-[34rem] max-sm:h-auto max-sm:[&_.cm-editor]:max-h-[70vh] xl:h-auto xl:min-h-0 xl:flex-1"
      />
      <Preview draft={draft} />
    </div>
  )
}

/** What the code editor shows after a step was undone is no change. */
const changedCode = (now: Content, code: { mjml: string } | { body: string }): Partial<Content> => {
  const changed = { ...now, ...code }
  return changed.mjml === now.mjml && changed.body === now.body ? now : code
}

const KINDS: EditorKind[] = ['visual', 'html', 'mjml']

interface KindSwitchProps {
  kinds: EditorKind[]
  content: Content
  onSwitch(content: Content): void
}

/** Blocks and MJML can't be read back from HTML, so leaving them asks first, and every switch can be undone. */
function KindSwitch({ kinds, content, onSwitch }: KindSwitchProps) {
  const { api } = useApi()
  const toast = useToast()
  const [requested, setRequested] = useState<EditorKind>()
  const switchTo = async (kind: EditorKind) => {
    const next = await convert(kind)
    onSwitch(next)
    toast.done(T.switched(T[kind]), { label: sharedTexts.undo, onSelect: () => onSwitch(content) })
  }
  const convert = async (kind: EditorKind): Promise<Content> => {
    const { body, mjml } = await unwrap(compileContent(api, content))
    if (kind === 'visual') return contentFromHtml(body)
    if (kind === 'html') return { editor: 'html', body, document: null, mjml: null }
    return { editor: 'mjml', body, document: null, mjml: mjml ?? mjmlFromHtml(body) }
  }
  const choose = (kind: EditorKind) => {
    if (kind === content.editor) return
    if (content.editor === 'html') void switchTo(kind)
    else setRequested(kind)
  }
  return (
    <>
      <fieldset className="flex rounded-part bg-panel p-0.5 text-sm font-medium">
        <legend className="sr-only">{T.label}</legend>
        {kinds.map((kind) => (
          <button
            key={kind}
            type="button"
            aria-pressed={kind === content.editor}
            onClick={() => choose(kind)}
            className="h-7 rounded-[0.375rem] px-2.5 text-soft hover:text-ink aria-pressed:bg-card aria-pressed:text-ink aria-pressed:shadow-lift"
          >
            {T[kind]}
          </button>
        ))}
      </fieldset>
      <Confirm
        open={requested !== undefined}
        onClose={() => setRequested(undefined)}
        title={T.title(T[requested ?? 'html'])}
        action={T.action(T[requested ?? 'html'])}
        dismiss={T.keep}
        harmless
        onConfirm={() => switchTo(requested!)}
      >
        <p>{requested === 'visual' ? T.toVisualEffect : T.toCodeEffect(T[content.editor])}</p>
      </Confirm>
    </>
  )
}
