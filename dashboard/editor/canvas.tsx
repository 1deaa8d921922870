/**
 * The email while it is edited. Every block is a group that can be focused; one of them is in the tab order, and the
 * arrow keys move between them (use-keys.ts).
 */
import { EyeOff, GripVertical } from 'lucide-react'
import { memo } from 'react'
import { definitionOf } from './blocks/registry.ts'
import type { Block } from './document/document.ts'
import { useCanvas, useEditing } from './document/editing.ts'
import { ROOT } from './document/edits.ts'
import { texts } from './texts.ts'

const T = texts.editor

/** Only the column of an email is narrower on a phone. */
export const PHONE_WIDTH = 375
const COLUMN_SIDE = 12
const VERTICAL = 10

export function Canvas({ isDark }: { isDark: boolean }) {
  const { document } = useEditing()
  const { look, isPhone } = useCanvas()
  return (
    <div
      className={`email-canvas mx-auto ${isDark ? 'email-dark' : ''}`}
      style={{
        width: '100%',
        maxWidth: isPhone ? PHONE_WIDTH : look.width,
        background: look.contentBackground,
        borderRadius: isPhone ? 0 : look.radius,
        color: look.textColor,
        fontFamily: look.font,
        fontSize: 16,
        lineHeight: 1.5,
        // The dashboard's theme must not affect form controls and scroll bars in the email.
        colorScheme: 'light',
        ['--email-link' as string]: look.linkColor,
      }}
    >
      <BlockList list={ROOT} blocks={document.blocks} label={T.canvas} />
    </div>
  )
}

interface BlockListProps {
  list: string
  blocks: readonly Block[]
  label: string
  side?: number
}

function BlockList({ list, blocks, label, side: given }: BlockListProps) {
  const { look } = useCanvas()
  const side = given ?? look.padding
  const end = list === ROOT && look.margin > 0 ? blocks.findLastIndex(({ type }) => type !== 'footer') : blocks.length
  const { document, drag, selected, active, problems } = useEditing()
  const endsContent = (i: number) => i === end && end < blocks.length - 1
  const tabStop = active ?? document.blocks[0]?.id
  const dropIndex = drag?.place?.list === list ? drag.place.index : undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
    <div data-list={list} role="group" aria-label={label} className="relative min-h-10">
      {blocks.map((block, i) => (
        <div
          key={block.id}
          data-item
          style={endsContent(i) ? { background: look.background } : undefined} // behind the round corners
        >
          {dropIndex === i && <DropLine />}
          <BlockFrame
            block={block}
            side={side}
            isBelowContent={i > end}
            endsContent={endsContent(i)}
            isSelected={selected.includes(block)}
            isOneOfSeveral={selected.length > 1 && selected.includes(block)}
            isTabStop={tabStop === block.id}
            problem={problems.get(block.id)}
          />
        </div>
      ))}
      {blocks.length === 0 && (
        <p
          className={`font-sans text-sm text-soft ${list === ROOT ? 'px-6 py-24 text-center' : 'm-1.5 rounded-part border border-dashed border-line-strong px-2 py-3 text-center'}`}
        >
          {list === ROOT ? T.empty : T.emptyList}
        </p>
      )}
      {dropIndex === blocks.length && <DropLine />}
    </div>
  )
}

const DropLine = () => (
  <div aria-hidden className="pointer-events-none relative z-20 h-0">
    <div className="absolute inset-x-0 -top-0.5 h-1 rounded-full bg-accent" />
  </div>
)

interface BlockFrameProps {
  block: Block
  side: number
  /** A footer that is shown on the background of the email. */
  isBelowContent: boolean
  /** The last block above such footers, with the lower corners of the content. */
  endsContent: boolean
  isSelected: boolean
  isOneOfSeveral: boolean
  isTabStop: boolean
  problem: string | undefined
}

/** Rendered only if its own block changes. */
const BlockFrame = memo(function BlockFrame(props: BlockFrameProps) {
  const { block, side, isBelowContent, endsContent, isSelected, isOneOfSeveral, isTabStop, problem } = props
  const { isPhone, look, select, update, startDrag } = useCanvas()
  const { title, summary, View } = definitionOf(block)
  const name = texts.block.name(title, summary(block).slice(0, 80))
  const isHidden = block.hideOn === (isPhone ? 'mobile' : 'desktop')
  const isContainer = block.type === 'columns' || block.type === 'condition' || block.type === 'loop'
  const vertical = isContainer || block.type === 'spacer' ? 0 : VERTICAL
  const horizontal = isContainer || block.type === 'html' || block.type === 'spacer' ? 0 : side
  const inner = block.type === 'columns' ? COLUMN_SIDE : side
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
    <div
      data-block={block.id}
      role="group"
      tabIndex={isTabStop ? 0 : -1}
      aria-roledescription={texts.block.kind}
      aria-label={isOneOfSeveral ? texts.block.selected(name) : name}
      aria-describedby={isTabStop ? 'email-canvas-help' : undefined}
      onFocus={(event) => {
        event.stopPropagation()
        select(block.id)
      }}
      className={`group/block relative outline-offset-0 hover:outline hover:outline-accent/40 focus-visible:outline-2 ${isSelected ? 'shadow-[0_0_0_2px_#fff] outline-2 outline-offset-2! outline-accent! hover:outline-2' : ''}`}
      style={{
        background:
          block.background ?? (isBelowContent ? look.background : endsContent ? look.contentBackground : undefined),
        ...(endsContent && !isPhone ? { borderRadius: `0 0 ${look.radius}px ${look.radius}px` } : {}),
        padding: `${block.paddingTop ?? vertical}px ${block.type === 'columns' ? Math.max(side - COLUMN_SIDE, 0) : horizontal}px ${block.paddingBottom ?? vertical}px`,
      }}
    >
      <button
        type="button"
        tabIndex={-1}
        data-drag
        aria-label={T.drag(title)}
        title={T.drag(title)}
        onPointerDown={(event) => startDrag(event, { id: block.id })}
        className={`absolute top-1/2 -start-3 z-10 flex h-7 w-5 -translate-y-1/2 cursor-grab touch-none items-center justify-center rounded-part border border-line bg-card text-soft opacity-0 shadow-lift select-none group-hover/block:opacity-100 ${isSelected ? 'opacity-100' : 'group-has-[[data-block]:hover]/block:opacity-0'}`}
      >
        <GripVertical className="size-3.5" aria-hidden />
      </button>
      <div className={isHidden ? 'opacity-35' : ''}>
        <View
          block={block}
          isSelected={isSelected && isTabStop}
          set={(changes) => update(block.id, changes)}
          renderList={(list, blocks, label) => <BlockList list={list} blocks={blocks} label={label} side={inner} />}
        />
      </div>
      {block.hideOn && (
        <span
          title={block.hideOn === 'mobile' ? T.hiddenOnPhone : T.hiddenOnDesktop}
          className="absolute top-0 end-0 z-10 rounded-bl-part bg-panel p-1 text-soft"
        >
          <EyeOff className="size-3.5" aria-hidden />
          <span className="sr-only">{block.hideOn === 'mobile' ? T.hiddenOnPhone : T.hiddenOnDesktop}</span>
        </span>
      )}
      {problem && <p className="mt-1 rounded-part bg-bad-wash px-2 py-1 font-sans text-xs text-bad">{problem}</p>}
    </div>
  )
})
