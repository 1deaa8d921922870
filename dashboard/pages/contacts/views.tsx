/** Saved views of the contact list: search, filters and order under a name. They are kept in this browser. */
import { BookmarkPlus, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { useStored } from '../../data/stored.ts'
import { Link } from '../../links.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { texts } from './texts.ts'
import { LIST_STATE } from './use-contact-list.ts'

type ListState = Partial<Record<(typeof LIST_STATE)[number], string>>

interface View {
  name: string
  state: ListState
}

const NAME_MAX = 40

const isSame = (a: ListState, b: ListState) => LIST_STATE.every((key) => (a[key] ?? '') === (b[key] ?? ''))

const TAB =
  'flex h-9 items-center rounded-part px-3 text-sm whitespace-nowrap text-soft hover:bg-panel hover:text-ink aria-[current=page]:bg-panel aria-[current=page]:font-medium aria-[current=page]:text-ink'

/** The saved views, and the state of the list that could be saved as another one. */
export function useViews() {
  const { projectId } = useApi()
  const [address] = useSearchState<(typeof LIST_STATE)[number]>()
  const [views, setViews] = useStored<View[]>(`posthorn.contact-views.${projectId}`, [])
  const state: ListState = Object.fromEntries(LIST_STATE.flatMap((key) => (address[key] ? [[key, address[key]]] : [])))
  return { views, setViews, state }
}

type Views = ReturnType<typeof useViews>

const ALL: View = { name: texts.views.all, state: {} }

/** A tab for each view, as soon as one is saved. */
export function ViewTabs({ views, setViews, state }: Views) {
  const { projectId } = useApi()
  if (views.length === 0) return null
  return (
    <nav aria-label={texts.views.label} className="mb-3 flex flex-wrap items-center gap-1">
      {[ALL, ...views].map((view) => {
        const isOpen = isSame(view.state, state)
        return (
          <span key={view.name} className="flex items-center">
            <Link
              to={projectPage(projectId, 'contacts', view.state)}
              activeOptions={{ exact: true, includeSearch: true }}
              aria-current={isOpen ? 'page' : undefined}
              className={TAB}
            >
              {view.name}
            </Link>
            {isOpen && view !== ALL && (
              <IconButton
                label={texts.views.remove(view.name)}
                onClick={() => setViews(views.filter((one) => one !== view))}
              >
                <X />
              </IconButton>
            )}
          </span>
        )
      })}
    </nav>
  )
}

export function SaveView({ views, setViews, state }: Views) {
  const [naming, setNaming] = useState(false)
  if (views.some((view) => isSame(view.state, state))) return null
  return (
    <>
      <Button kind="quiet" className="-me-3.5" onClick={() => setNaming(true)}>
        <BookmarkPlus aria-hidden /> {texts.views.save}
      </Button>
      {naming && (
        <NameView
          usedNames={[ALL, ...views].map(({ name }) => name)}
          onClose={() => setNaming(false)}
          onSave={(name) => setViews([...views, { name, state }])}
        />
      )}
    </>
  )
}

interface NameProps {
  usedNames: string[]
  onClose(): void
  onSave(name: string): void
}

function NameView({ usedNames, onClose, onSave }: NameProps) {
  const [name, setName] = useState('')
  const isUsed = usedNames.includes(name.trim())
  const saveView = (event: FormEvent) => {
    event.preventDefault()
    if (isUsed) return
    onSave(name.trim())
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={texts.views.saveTitle} lead={texts.views.lead}>
      <form onSubmit={saveView}>
        <Input
          label={texts.views.name}
          required
          autoFocus
          maxLength={NAME_MAX}
          value={name}
          error={isUsed ? texts.views.taken : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>{sharedTexts.cancel}</Button>
          <Button kind="primary" type="submit" disabled={name.trim() === ''}>
            {texts.views.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
