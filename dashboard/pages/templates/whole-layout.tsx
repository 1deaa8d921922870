/** The part of a layout that is edited, with a placeholder for the content of an email and the other part around it. */
import { type ReactNode, useMemo } from 'react'
import { Canvas, PHONE_WIDTH } from '../../editor/canvas.tsx'
import type { EmailDocument } from '../../editor/document/document.ts'
import { EditingContext, useCanvas } from '../../editor/document/editing.ts'
import { renumberBlocks } from './renumber-blocks.ts'
import { texts } from './texts.ts'

const T = texts.layouts

interface WholeLayoutProps {
  /** The part that is edited. */
  part: 'header' | 'footer'
  canvas: ReactNode
  isDark: boolean
  other: EmailDocument
  onSwitch(): void
}

export function WholeLayout({ part, canvas, isDark, other, onSwitch }: WholeLayoutProps) {
  const shown = <OtherPart name={part === 'header' ? T.footer : T.header} {...{ other, isDark, onSwitch }} />
  const edited = <EditedPart part={part}>{canvas}</EditedPart>
  // Only the outer corners are round, so that the parts look like one email.
  return (
    <>
      <div className="[&_.email-canvas]:rounded-b-none!">{part === 'header' ? edited : shown}</div>
      <ContentPlaceholder isDark={isDark} />
      <div className="[&_.email-canvas]:rounded-t-none!">{part === 'header' ? shown : edited}</div>
    </>
  )
}

/** It has a frame and its name in a corner, outside the email. */
function EditedPart({ part, children }: Pick<WholeLayoutProps, 'part'> & { children: ReactNode }) {
  const { look, isPhone } = useCanvas()
  return (
    <div className="relative [&_.email-canvas]:outline-2 [&_.email-canvas]:outline-dashed [&_.email-canvas]:outline-accent/60">
      <div
        aria-hidden
        className={`pointer-events-none absolute inset-x-0 mx-auto ${part === 'header' ? 'bottom-full' : 'top-full'}`}
        style={{ maxWidth: isPhone ? PHONE_WIDTH : look.width }}
      >
        <span
          className={`bg-accent px-2 py-1 text-xs font-medium text-on-accent ${part === 'header' ? 'rounded-t-part' : 'rounded-b-part'}`}
        >
          {T[part]}
        </span>
      </div>
      {children}
    </div>
  )
}

const LINES = ['w-full', 'w-11/12', 'w-4/5']

function ContentPlaceholder({ isDark }: { isDark: boolean }) {
  const { look, isPhone } = useCanvas()
  return (
    <div
      className={`email-canvas mx-auto ${isDark ? 'email-dark' : ''}`}
      style={{
        maxWidth: isPhone ? PHONE_WIDTH : look.width,
        background: look.contentBackground,
        color: look.textColor,
        padding: `12px ${look.padding}px`,
      }}
    >
      <div className="space-y-3 rounded-part border border-dashed border-current/40 px-4 py-8 text-center font-sans text-sm">
        <p className="opacity-75">{T.content}</p>
        {LINES.map((width) => (
          <div key={width} aria-hidden className={`mx-auto h-2.5 rounded bg-current opacity-10 ${width}`} />
        ))}
      </div>
    </div>
  )
}

type OtherPartProps = Pick<WholeLayoutProps, 'other' | 'isDark' | 'onSwitch'> & { name: string }

/** Shown as it is; clicking it opens it in the editor. */
function OtherPart({ name, other, isDark, onSwitch }: OtherPartProps) {
  const editing = useMemo(
    () => ({
      document: renumberBlocks(other, 'shown'),
      selected: [],
      active: undefined,
      problems: new Map<string, string>(),
      drag: undefined,
      activeText: undefined,
      edit: () => {},
    }),
    [other],
  )
  return (
    <div className="relative">
      {other.blocks.length > 0 && (
        <div aria-hidden inert>
          <EditingContext value={editing}>
            <Canvas isDark={isDark} />
          </EditingContext>
        </div>
      )}
      <button
        type="button"
        onClick={onSwitch}
        className={
          other.blocks.length > 0
            ? 'absolute inset-0 mx-auto flex w-full items-start justify-end p-1.5 opacity-0 hover:opacity-100 focus-visible:opacity-100'
            : 'mx-auto flex py-4'
        }
      >
        <span className="rounded-part border border-line bg-card px-2.5 py-1 text-xs font-medium text-ink shadow-lift">
          {T.editPart(name)}
        </span>
      </button>
    </div>
  )
}
