/** Restricts the list to the emails with a tag, such as category:receipt. It is kept in the address. */
import { Tag, X } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type FormEvent, useState } from 'react'
import { useSearchState } from '../../data/project.ts'
import { FIRST_PAGE } from '../../lists/list.tsx'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'
import { texts } from './texts.ts'

const T = texts.tagFilter

const isTag = (text: string) => /^[A-Za-z0-9_-]{1,64}:./.test(text)

export function TagFilter() {
  const [{ tag }, change] = useSearchState<'tag' | keyof typeof FIRST_PAGE>()
  const [open, setOpen] = useState(false)
  const filterBy = (next: string | undefined) => {
    change({ tag: next, ...FIRST_PAGE })
    setOpen(false)
  }
  if (tag)
    return (
      <Button aria-label={T.remove(tag)} title={T.remove(tag)} onClick={() => filterBy(undefined)}>
        <span className="max-w-60 truncate">{T.active(tag)}</span> <X aria-hidden />
      </Button>
    )
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button>
          <Tag aria-hidden /> {T.label}
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={12}
          aria-label={T.title}
          className="z-50 w-80 max-w-[calc(100vw-1.5rem)] rounded-card border border-line bg-card p-4 shadow-float"
        >
          <TagForm onFilter={filterBy} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function TagForm({ onFilter }: { onFilter(tag: string): void }) {
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const tag = text.trim()
    if (isTag(tag)) onFilter(tag)
    else setWrong(true)
  }
  return (
    <form className="space-y-3" onSubmit={submit}>
      <Input
        label={T.label}
        placeholder={T.placeholder}
        hint={T.hint}
        error={isWrong ? T.wrong : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setWrong(false)
          setText(event.target.value)
        }}
      />
      <Button type="submit">{T.apply}</Button>
    </form>
  )
}
