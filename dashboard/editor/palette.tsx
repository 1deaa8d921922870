/** The block types. They can be dragged onto the canvas, or pressed to add a block after the selected one. */
import { BLOCK_TYPES, definitionOf } from './blocks/registry.ts'
import type { BlockType } from './document/document.ts'
import { useCanvas } from './document/editing.ts'
import { texts } from './texts.ts'

export function Palette({ onAdd }: { onAdd(type: BlockType): void }) {
  const { startDrag } = useCanvas()
  return (
    <div
      role="toolbar"
      aria-label={texts.editor.palette}
      className="flex shrink-0 gap-0.5 border-line bg-card p-2 max-lg:overflow-x-auto max-lg:border-b max-lg:pe-8 max-lg:[mask-image:linear-gradient(to_right,black_calc(100%-2rem),transparent)] lg:w-14 lg:flex-col lg:overflow-y-auto lg:border-e min-[69rem]:grid min-[69rem]:w-42 min-[69rem]:grid-cols-2 min-[69rem]:content-start"
    >
      <p className="col-span-2 px-2 py-1 text-xs font-medium text-soft max-[69rem]:hidden">{texts.editor.palette}</p>
      {BLOCK_TYPES.map((type) => {
        const { title, icon: Icon } = definitionOf({ type })
        return (
          <button
            key={type}
            type="button"
            title={title}
            onPointerDown={(event) => startDrag(event, { type })}
            onClick={() => onAdd(type)}
            // Swiping along the list scrolls it; swiping across it drags a block.
            className="flex h-9 shrink-0 cursor-grab touch-pan-x items-center gap-2.5 rounded-part px-2.5 text-start text-sm select-none hover:bg-panel lg:touch-pan-y min-[69rem]:h-auto min-[69rem]:flex-col min-[69rem]:gap-1 min-[69rem]:px-1 min-[69rem]:py-2 min-[69rem]:text-center min-[69rem]:text-xs"
          >
            <Icon className="size-4.5 shrink-0 text-accent" aria-hidden />
            <span className="max-lg:whitespace-nowrap lg:max-[69rem]:sr-only">{title}</span>
          </button>
        )
      })}
    </div>
  )
}
