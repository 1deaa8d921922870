/** The properties of the selected block, or the settings of the email if no block is selected. */
import { ArrowDown, ArrowUp, ChevronDown, Copy, Trash2, X } from 'lucide-react'
import { createContext, type ReactNode, use } from 'react'
import { useProject } from '../data/project.ts'
import { LayoutSelect, SaveBlocks, SavedBlocksSelect } from '../mail/shared-blocks.tsx'
import { IconButton } from '../ui/button.tsx'
import { Checkbox, Select } from '../ui/field.tsx'
import { definitionOf, titleOf } from './blocks/registry.ts'
import { type Block, documentForApi, documentFromApi, type Settings } from './document/document.ts'
import { CanvasContext, useCanvas, useEditing } from './document/editing.ts'
import { type Direction, ownerOf, withoutUndefined } from './document/edits.ts'
import { ColorField, NumberField } from './fields.tsx'
import { cardOf } from './look.ts'
import { texts } from './texts.ts'

interface PanelProps {
  onMove(direction: Direction): void
  onDuplicate(): void
  onRemove(): void
  onInsert(blocks: Block[]): void
}

interface OwnSettings {
  /** Shown instead of the settings of an email. */
  settings: ReactNode | undefined
}

interface Disclosure {
  isOpen: boolean
  onToggle(isOpen: boolean): void
}

/** Whether the properties are open. It matters only where they are below the canvas. */
const DisclosureContext = createContext<Disclosure>({ isOpen: true, onToggle: () => {} })

export function Panel({ settings, isOpen, onToggle, ...props }: PanelProps & Disclosure & OwnSettings) {
  const { selected } = useEditing()
  const [block] = selected
  return (
    <section
      aria-label={texts.editor.properties}
      data-panel
      className="shrink-0 overflow-y-auto border-line bg-card max-lg:border-t lg:w-72 lg:border-s 2xl:w-80"
    >
      <DisclosureContext value={{ isOpen, onToggle }}>
        {selected.length > 1 && <BlocksPanel blocks={selected} {...props} />}
        {selected.length === 1 && block && <BlockPanel key={block.id} block={block} {...props} />}
        {!block && <SettingsPanel settings={settings} onInsert={props.onInsert} />}
      </DisclosureContext>
    </section>
  )
}

const DETAILS = 'email-properties'

function DisclosureButton() {
  const { isOpen, onToggle } = use(DisclosureContext)
  return (
    <IconButton
      label={isOpen ? texts.editor.hideProperties : texts.editor.showProperties}
      aria-expanded={isOpen}
      aria-controls={DETAILS}
      className="ms-1 bg-panel lg:hidden"
      onClick={() => onToggle(!isOpen)}
    >
      <ChevronDown className={`transition-transform motion-reduce:transition-none ${isOpen ? 'rotate-180' : ''}`} />
    </IconButton>
  )
}

/** What is below the title. */
const Details = ({ children }: { children: ReactNode }) => (
  <div id={DETAILS} className={use(DisclosureContext).isOpen ? '' : 'max-lg:hidden'}>
    {children}
  </div>
)

interface ActionsProps extends Omit<PanelProps, 'onInsert'> {
  blocks: readonly Block[]
}

/** The title of the selected blocks and their actions. */
function BlockActions({ blocks, onMove, onDuplicate, onRemove }: ActionsProps) {
  const { select } = useCanvas()
  const T = texts.block
  return (
    <header className="flex items-center gap-0.5 border-b border-line py-2 pe-2 ps-4 lg:[&_button]:size-7">
      <h2 className="min-w-0 truncate font-semibold tracking-tight">{titleOf(blocks)}</h2>
      <DisclosureButton />
      <span className="flex-1" />
      <IconButton label={T.moveUp} aria-keyshortcuts="Alt+ArrowUp" onClick={() => onMove('up')}>
        <ArrowUp />
      </IconButton>
      <IconButton label={T.moveDown} aria-keyshortcuts="Alt+ArrowDown" onClick={() => onMove('down')}>
        <ArrowDown />
      </IconButton>
      <SaveBlocks blocks={documentForApi({ version: 1, blocks: [...blocks] }).blocks} />
      <IconButton label={T.duplicate(blocks.length)} aria-keyshortcuts="Control+D" onClick={onDuplicate}>
        <Copy />
      </IconButton>
      <IconButton label={T.remove(blocks.length)} aria-keyshortcuts="Delete" onClick={onRemove}>
        <Trash2 />
      </IconButton>
      <IconButton label={T.close} onClick={() => select(undefined)}>
        <X />
      </IconButton>
    </header>
  )
}

const BlocksPanel = ({ onInsert: _, ...actions }: PanelProps & { blocks: readonly Block[] }) => (
  <>
    <BlockActions {...actions} />
    <Details>
      <p className="p-4 text-sm text-soft">{texts.block.severalLead}</p>
    </Details>
  </>
)

/** A block in a card has the colors of the card. */
function BlockPanel(props: PanelProps & { block: Block }) {
  const canvas = useCanvas()
  const owner = ownerOf(useEditing().document, props.block.id)
  const card = owner?.type === 'columns' ? owner.card : undefined
  const look = card ? cardOf(card, canvas.look).look : canvas.look
  return (
    <CanvasContext value={{ ...canvas, look }}>
      <BlockForms {...props} />
    </CanvasContext>
  )
}

function BlockForms({ block, onInsert, ...actions }: PanelProps & { block: Block }) {
  const { look, update } = useCanvas()
  const { Form } = definitionOf(block)
  const set = (changes: object) => update(block.id, changes)
  const T = texts.block
  return (
    <>
      <BlockActions blocks={[block]} {...actions} />
      <Details>
        <div className="space-y-4 p-4">
          <Form block={block} isSelected set={set} />
        </div>
        <Group title={T.spacing}>
          <Select
            label={T.visibility}
            value={block.hideOn ?? ''}
            options={T.visibilities}
            onChange={(event) => set({ hideOn: event.target.value || undefined })}
          />
          <ColorField
            label={texts.fields.background}
            value={block.background}
            fallback={look.contentBackground}
            onChange={(background) => set({ background })}
          />
          {block.type !== 'spacer' && (
            <div className="grid grid-cols-2 gap-3">
              <NumberField
                label={texts.fields.paddingTop}
                value={block.paddingTop}
                min={0}
                max={100}
                onChange={(paddingTop) => set({ paddingTop })}
              />
              <NumberField
                label={texts.fields.paddingBottom}
                value={block.paddingBottom}
                min={0}
                max={100}
                onChange={(paddingBottom) => set({ paddingBottom })}
              />
            </div>
          )}
        </Group>
        <div className="border-t border-line p-4 empty:hidden">
          <InsertSaved onInsert={onInsert} />
        </div>
      </Details>
    </>
  )
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <details className="border-t border-line">
    <summary className="px-4 py-2.5 text-sm font-medium text-soft hover:text-ink">{title}</summary>
    <div className="space-y-4 px-4 pb-4">{children}</div>
  </details>
)

/** Inserts saved blocks after the selected block, or at the end. */
const InsertSaved = ({ onInsert }: Pick<PanelProps, 'onInsert'>) => (
  <SavedBlocksSelect onInsert={(blocks) => onInsert(documentFromApi({ version: 1, blocks }).blocks)} />
)

function SettingsPanel({ settings, onInsert }: OwnSettings & Pick<PanelProps, 'onInsert'>) {
  return (
    <>
      <header className="flex items-center border-b border-line py-3 pe-2 ps-4">
        <div className="flex-1">
          <h2 className="font-semibold tracking-tight">
            {settings ? texts.editor.layoutSettings : texts.editor.settings}
          </h2>
          {!settings && <p className="mt-0.5 text-[0.8125rem] text-soft">{texts.editor.settingsLead}</p>}
        </div>
        <DisclosureButton />
      </header>
      <Details>
        <div className="space-y-4 p-4">
          {settings ?? <LayoutField />}
          <InsertSaved onInsert={onInsert} />
          {!settings && <SettingsFields />}
        </div>
      </Details>
    </>
  )
}

function LayoutField() {
  const { document, edit } = useEditing()
  return (
    <LayoutSelect
      value={document.layoutId}
      onChange={(layoutId) => edit((before) => withoutUndefined({ ...before, layoutId }))}
    />
  )
}

const SPACE_MAX = { padding: 60, margin: 100, radius: 50 }

function SettingsFields() {
  const { document, edit } = useEditing()
  const { look } = useCanvas()
  const { emailStyle } = useProject()
  const settings = document.settings ?? {}
  const set = (changes: Partial<Settings>) =>
    edit(
      (before) => {
        const next = withoutUndefined({ ...before.settings, ...changes })
        return withoutUndefined({ ...before, settings: Object.keys(next).length > 0 ? next : undefined })
      },
      `settings.${Object.keys(changes)[0]}`,
    )
  const T = texts.settings
  const color = (name: 'background' | 'contentBackground' | 'textColor' | 'linkColor') => (
    <ColorField
      label={T[name]}
      value={settings[name]}
      fallback={look[name]}
      onChange={(value) => set({ [name]: value })}
    />
  )
  return (
    <>
      <Select
        label={T.font}
        value={settings.font ?? ''}
        options={T.fonts}
        onChange={(event) => set({ font: (event.target.value || undefined) as Settings['font'] })}
      />
      {color('background')}
      {color('contentBackground')}
      {color('textColor')}
      {color('linkColor')}
      <NumberField
        label={T.width}
        value={settings.width}
        min={320}
        max={800}
        fallback={600}
        onChange={(width) => set({ width })}
      />
      {(['padding', 'margin', 'radius'] as const).map((name) => (
        <NumberField
          key={name}
          label={T[name]}
          value={settings[name]}
          min={0}
          max={SPACE_MAX[name]}
          fallback={look[name]}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
      <Checkbox
        label={T.darkMode}
        checked={settings.darkMode ?? emailStyle?.darkMode ?? false}
        onChange={(event) => set({ darkMode: event.target.checked })}
      />
    </>
  )
}
